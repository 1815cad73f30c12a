// SPDX-License-Identifier: Apache-2.0
// What the page shows, kept in its address: a link restores it.

const FIELDS = ['text', 'model', 'k', 'probabilities', 'solver', 'rules', 'entities-text', 'entities-model', 'constituents-text', 'constituents-model', 'compress-text',
  'compress-rate', 'summarize-text', 'summarize-words', 'segment-text', 'segment-model', 'graph-text', 'graph-solver',
  'view-search', 'view-differs', 'view-first'];

const valueOf = (field) => (field.type === 'checkbox' ? (field.checked ? '1' : '0') : field.value);
const first = new Map();

// Values that are in the address; others stay as the page has them.
export function restore() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of FIELDS) {
    const field = document.getElementById(name);
    if (!first.has(name)) first.set(name, valueOf(field));
    if (!given.has(name)) continue;
    if (field.type === 'checkbox') field.checked = given.get(name) === '1';
    else field.value = given.get(name);
  }
  return { tab: given.get('tab'), fixed: parsed(given.get('fixed')) };
}

function parsed(text) {
  try {
    const found = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export function remember(tab, fixed) {
  const given = new URLSearchParams({ tab });
  for (const name of FIELDS) {
    const value = valueOf(document.getElementById(name));
    if (value !== first.get(name)) given.set(name, value);
  }
  if (fixed.length) given.set('fixed', JSON.stringify(fixed));
  history.replaceState(null, '', `#${given}`);
}
