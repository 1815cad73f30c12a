// SPDX-License-Identifier: Apache-2.0
// Files to look at: pages of sentences, a search, and what differs in a second file.

import { ask, debounced, element, showError } from './api.js';
import { picture } from './tree.js';

const COUNT = 10;
const byId = (id) => document.getElementById(id);

// The first sentence of those found that is shown; the field counts from 1.
const first = () => Math.max(0, Math.trunc(Number(byId('view-first').value) || 1) - 1);
const begin = (sentence) => {
  byId('view-first').value = Math.max(0, sentence) + 1;
};

async function show(remember) {
  remember();
  const query = new URLSearchParams({ first: first(), count: COUNT, search: byId('view-search').value, differs: Number(byId('view-differs').checked) });
  try {
    const found = await ask(`/view?${query}`);
    if (found.found && first() >= found.found) {
      begin(found.found - COUNT);
      return await show(remember);
    }
    const last = Math.min(first() + COUNT, found.found);
    byId('view-place').textContent = found.found ? `to ${last} of ${found.found}` : 'nothing found';
    byId('view-back').disabled = first() === 0;
    byId('view-next').disabled = last >= found.found;
    byId('view-answer').replaceChildren(...found.sentences.map(figure));
    showError(null);
  } catch (error) {
    showError(error);
  }
}

function figure(sentence) {
  const caption = element('figcaption', { dir: 'auto' }, element('span', {}, element('span', { class: 'hint' }, `${sentence.number} `), sentence.text));
  const frame = picture(sentence.svg);
  for (const word of sentence.matched ?? []) frame.querySelector(`.word[data-word="${word}"]`)?.classList.add('target');
  return element('figure', {}, caption, frame);
}

export function setUp(about, remember) {
  byId('view-files').textContent = about.files.join(' / ');
  byId('view-differs-label').hidden = about.files.length < 2;
  const turn = (step) => {
    begin(first() + step);
    show(remember);
  };
  const again = debounced(() => {
    begin(0);
    show(remember);
  });
  byId('view-search').addEventListener('input', again);
  byId('view-differs').addEventListener('input', again);
  byId('view-first').addEventListener('input', debounced(() => show(remember)));
  byId('view-back').addEventListener('click', () => turn(-COUNT));
  byId('view-next').addEventListener('click', () => turn(COUNT));
  return () => show(remember);
}
