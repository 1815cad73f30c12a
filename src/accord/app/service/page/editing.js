// SPDX-License-Identifier: Apache-2.0
// Arcs under the hand: an arc is dragged to its new head, clicked for another label, or moved by keys. A finger drags labels alone, for a
// line lies under many a finger that only wants to move the picture.

export function makeEditable(frame, sentence, change) {
  const svg = frame.querySelector('svg');
  if (!svg) return;
  for (const arc of svg.querySelectorAll('g[data-dependent]')) {
    arc.addEventListener('pointerdown', (event) => drag(event, svg, arc, sentence, change));
    if (!arc.querySelector('.label')) continue;
    arc.setAttribute('tabindex', '0');
    arc.setAttribute('role', 'button');
    arc.setAttribute('aria-label', arc.querySelector('title').textContent);
    arc.addEventListener('keydown', (event) => press(event, arc, sentence, change));
  }
}

const place = (arc) => ({ head: Number(arc.dataset.head), dependent: Number(arc.dataset.dependent) });

function drag(event, svg, arc, sentence, change) {
  if (event.button !== 0 || (event.pointerType === 'touch' && !arc.hasAttribute('tabindex'))) return;
  event.preventDefault();
  const { dependent } = place(arc);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('class', 'dragged');
  svg.append(line);
  const word = svg.querySelector(`[data-word="${dependent}"]`);
  const begin = { x: event.clientX, y: event.clientY };
  let moved = false;
  let target = null;
  const move = (now) => {
    moved ||= Math.hypot(now.clientX - begin.x, now.clientY - begin.y) > 6;
    const at = new DOMPoint(now.clientX, now.clientY).matrixTransform(svg.getScreenCTM().inverse());
    line.setAttribute('d', `M${word.getAttribute('x')} ${Number(word.getAttribute('y')) - 18}L${at.x} ${at.y}`);
    target = moved ? nearest(svg, at.x) : null;
    for (const one of svg.querySelectorAll('.word')) one.classList.toggle('target', Number(one.dataset.word) === target);
  };
  const end = ({ type }) => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
    line.remove();
    for (const one of svg.querySelectorAll('.target')) one.classList.remove('target');
    if (type === 'pointercancel') return; // the browser took the pointer, to scroll for example
    if (!moved) change.label(sentence, place(arc));
    else if (target !== null && target !== dependent) change.head(sentence, dependent, target);
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}

// The word whose middle is nearest; 0, the root, at the left edge.
function nearest(svg, x) {
  if (x < 8) return 0;
  let best = null;
  let distance = Infinity;
  for (const word of svg.querySelectorAll('.word')) {
    const away = Math.abs(Number(word.getAttribute('x')) - x);
    if (away < distance) [best, distance] = [Number(word.dataset.word), away];
  }
  return best;
}

function press(event, arc, sentence, change) {
  const { head, dependent } = place(arc);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) change.head(sentence, dependent, next(head, dependent, step, count(arc)));
  else if (event.key === 'Enter' || event.key === ' ') change.label(sentence, { head, dependent });
  else if (event.key === 'Delete' || event.key === 'Backspace') change.free(sentence, dependent);
  else return;
  event.preventDefault();
}

const count = (arc) => arc.ownerSVGElement.querySelectorAll('.word').length;

// The next head in this direction that is not the word itself; 0 is the root, before the first word.
function next(head, dependent, step, words) {
  let found = head;
  do found = (found + step + words + 1) % (words + 1);
  while (found === dependent);
  return found;
}
