// A message with an Undo of its own is of the moment: once anything else has happened its way back is closed, and it goes.
import { dismiss } from './messages.js';

const LAST = /\d+$/; // of the events that the button takes back

export function startWaysBack(store) {
  const buttons = [...document.querySelectorAll('.frame-messages [form=undo]')];
  if (!buttons.length) return;
  store.addEventListener('change', () => {
    for (const button of buttons.splice(0)) {
      if (store.state.cluster.seq > Number(button.value.match(LAST)[0])) dismiss(button.closest('[data-message]'));
      else buttons.push(button);
    }
  });
}
