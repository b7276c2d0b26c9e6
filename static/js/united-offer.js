// What is wished can be applied and discarded: without a change there is nothing to do, and what is wrong is not applied.
const wrong = () =>
  document.querySelector('#u-faults .field-error, .field .field-error:not(:empty), [data-row] .field-error:not(:empty)');

function may(apply, isChanged) {
  const fault = isChanged ? wrong() : null;
  apply.disabled = !isChanged || fault !== null;
  if (fault) apply.title = `It cannot be applied: ${fault.textContent.trim()}`;
  else apply.title = isChanged ? '' : 'Nothing differs from what is stored';
}

function link(discard, isChanged) {
  if (isChanged) {
    discard.href = discard.dataset.discard;
    discard.removeAttribute('aria-disabled');
  } else {
    discard.removeAttribute('href');
    discard.setAttribute('aria-disabled', 'true');
  }
}

// Call what it returns whenever a field or a fault has changed.
export const offerer = (form) => () => {
  const isChanged = [...form.elements].some(({ dataset, value }) => dataset.stored !== undefined && value.trim() !== dataset.stored);
  const apply = form.querySelector('[data-apply]');
  if (apply) may(apply, isChanged);
  link(form.querySelector('[data-discard]'), isChanged);
};

// Who discards goes on in the first field: the page comes anew, and the link is off there.
export function startDiscarding(form) {
  const discard = form.querySelector('[data-discard]');
  const first = form.elements.namedItem('replicas');
  discard.addEventListener('click', ({ ctrlKey, metaKey }) => {
    if (discard.hasAttribute('href') && !ctrlKey && !metaKey) sessionStorage.setItem('discarded', location.pathname);
  });
  if (sessionStorage.getItem('discarded') === location.pathname) first.focus();
  sessionStorage.removeItem('discarded');
}
