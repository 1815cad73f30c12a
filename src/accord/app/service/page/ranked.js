// SPDX-License-Identifier: Apache-2.0
// The best trees of a sentence side by side: what differs from the first one is marked, said in words, and scrolled into view in all of them.

import { element } from './api.js';
import { markDifferences } from './tree.js';

const MOST = 4; // differences that are said in words

// `frames`: the pictures of the trees, in their order.
export function sideBySide({ words, trees }, frames) {
  const best = trees[0];
  const figures = trees.map((tree, rank) => {
    markDifferences(frames[rank], tree, best);
    const score = rank ? `${(best.score - tree.score).toFixed(2)} below the best` : `score ${tree.score.toFixed(2)}`;
    const proof = element('span', { class: tree.certified ? 'proved' : 'unproved' }, tree.certified ? 'proved' : 'not proved');
    const caption = element('figcaption', {}, `${rank + 1}. ${score}`, proof, element('p', { class: 'hint', dir: 'auto' }, rank ? differences(words, tree, best) : 'the best tree'));
    return element('figure', { class: 'ranked' }, caption, frames[rank]);
  });
  scrollTogether(frames);
  return element('div', { class: 'side' }, ...figures);
}

function changed(tree, best) {
  return tree.heads.flatMap((head, word) => (head !== best.heads[word] || tree.deprels[word] !== best.deprels[word] ? [word] : []));
}

function differences(words, tree, best) {
  const form = (word) => words[word].form;
  const place = ({ heads, deprels }, word) => (heads[word] ? `${deprels[word]} of ${form(heads[word] - 1)}` : deprels[word]);
  const found = changed(tree, best).map((word) => `${form(word)}: ${place(tree, word)}, not ${place(best, word)}`);
  return [...found.slice(0, MOST), ...(found.length > MOST ? [`${found.length - MOST} more`] : [])].join('; ');
}

// Trees of one sentence have their words at the same places, so their pictures move together.
function scrollTogether(frames) {
  for (const frame of frames) {
    frame.addEventListener('scroll', () => {
      for (const other of frames) if (other.scrollLeft !== frame.scrollLeft) other.scrollLeft = frame.scrollLeft;
    });
  }
}

// Moves the pictures of one sentence, which are on the page now, to the first word whose arc differs, where that is not in view.
export function showDifferences(side) {
  const frames = [...side.querySelectorAll('.scroll')];
  const numbers = frames.flatMap((frame) => [...frame.querySelectorAll('g.differs')].map((arc) => Number(arc.dataset.dependent)));
  if (!numbers.length) return;
  const place = Number(frames[0].querySelector(`.word[data-word="${Math.min(...numbers)}"]`)?.getAttribute('x'));
  if (place > frames[0].clientWidth - 40) frames[0].scrollLeft = place - frames[0].clientWidth / 2;
}
