// SPDX-License-Identifier: Apache-2.0
// Files to look at: pages of sentences, a search, and what differs in a second file.

import { ask, debounced, element, showError } from './api.js';
import { picture } from './tree.js';

const COUNT = 10;
const byId = (id) => document.getElementById(id);
let first = 0;

async function show(remember) {
  remember();
  const query = new URLSearchParams({ first, count: COUNT, search: byId('view-search').value, differs: Number(byId('view-differs').checked) });
  try {
    const found = await ask(`/view?${query}`);
    const last = Math.min(first + COUNT, found.found);
    byId('view-place').textContent = found.found ? `${first + 1}–${last} of ${found.found}` : 'nothing found';
    byId('view-back').disabled = first === 0;
    byId('view-next').disabled = last >= found.found;
    byId('view-answer').replaceChildren(...found.sentences.map(figure));
    showError(null);
  } catch (error) {
    showError(error);
  }
}

function figure(sentence) {
  const caption = element('figcaption', { dir: 'auto' }, element('span', { class: 'hint' }, sentence.number), sentence.text);
  const frame = picture(sentence.svg);
  for (const word of sentence.matched ?? []) frame.querySelector(`.word[data-word="${word}"]`)?.classList.add('target');
  return element('figure', {}, caption, frame);
}

export function setUp(about, remember) {
  byId('view-files').textContent = about.files.join(' / ');
  byId('view-differs-label').hidden = about.files.length < 2;
  const turn = (step) => {
    first = Math.max(0, first + step);
    show(remember);
  };
  const begin = debounced(() => {
    first = 0;
    show(remember);
  });
  byId('view-search').addEventListener('input', begin);
  byId('view-differs').addEventListener('input', begin);
  byId('view-back').addEventListener('click', () => turn(-COUNT));
  byId('view-next').addEventListener('click', () => turn(COUNT));
  return () => show(remember);
}
