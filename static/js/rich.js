// Sentences of the server in which names stand in backticks and what decides in **, as parts and as elements.
import { h } from './dom.js';

// [look, text] of a text in which names stand in backticks and what decides in **; nothing else is markup.
export function parts(text) {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('`')) return ['code', part.slice(1, -1)];
      return part.startsWith('**') ? ['bold', part.slice(2, -2).replaceAll('`', '')] : ['', part]; // a name that decides is bold
    });
}

// The same as children of an element. `links`: where names lead, for those that lead somewhere.
export const drawn = (told, links = {}) => told.map(([look, text]) => DRAWN[look]?.(text, Object.hasOwn(links, text) && links[text]) ?? text);

const DRAWN = {
  code: (text, href) => (href ? h('a', { class: 'mono', href }, text) : h('code', {}, text)),
  bold: (text) => h('b', { class: 'mono' }, text),
  lead: (text) => h('b', {}, text),
};

export const rich = (text, links) => drawn(parts(text), links);
