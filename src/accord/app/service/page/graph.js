// SPDX-License-Identifier: Apache-2.0
// The playground of factor graphs: lines of text become a graph, its best assignment becomes a table.
//
//   rain 1.5                          a variable and its score
//   exactly_one rain sun snow         a factor over variables; !rain is "not rain"
//   implies rain umbrella             the last variable is the conclusion or output
//   at_most 2 a b c                   counts stand before the variables
//   budget 10 a:3 b:4 c:8             limit, then variables with their costs
//   pair -1.5 a b                     a score for both being on

import { ask, debounced, element, showError } from './api.js';
import { fill } from './tabs.js';

const SETS = ['exactly_one', 'at_most_one', 'at_least_one'];
const OUTPUTS = ['implies', 'or_output', 'and_output', 'xor_output'];
const COUNTS = ['at_most', 'at_least', 'exactly'];
export const KINDS = [...SETS, ...OUTPUTS, ...COUNTS, 'pair', 'budget'];

export function graphOf(text) {
  const names = [];
  const scores = [];
  const factors = [];
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/)).filter((words) => words[0]);
  for (const words of lines) {
    if (KINDS.includes(words[0])) continue;
    if (words.length !== 2 || Number.isNaN(Number(words[1]))) throw new Error(`expected a name and a score: ${words.join(' ')}`);
    if (names.includes(words[0])) throw new Error(`there are two variables ${words[0]}`);
    names.push(words[0]);
    scores.push(Number(words[1]));
  }
  for (const words of lines) if (KINDS.includes(words[0])) factors.push(factorOf(words, names));
  return { names, scores, factors };
}

function factorOf([kind, ...words], names) {
  const number = (word) => {
    const plain = names.indexOf(word.replace(/^!/, ''));
    if (plain < 0) throw new Error(`no variable is named ${word}`);
    return word.startsWith('!') ? -1 - plain : plain;
  };
  const value = (word) => {
    if (word === undefined || Number.isNaN(Number(word))) throw new Error(`${kind} needs a number first`);
    return Number(word);
  };
  if (SETS.includes(kind)) return { kind, variables: words.map(number) };
  if (OUTPUTS.includes(kind)) return { kind, variables: words.slice(0, -1).map(number), output: number(words.at(-1) ?? '') };
  if (COUNTS.includes(kind)) return { kind, count: value(words[0]), variables: words.slice(1).map(number) };
  if (kind === 'pair') return { kind, score: value(words[0]), variables: words.slice(1).map(number) };
  const parts = words.slice(1).map((word) => word.split(':'));
  return { kind, limit: value(words[0]), variables: parts.map(([name]) => number(name)), costs: parts.map(([, cost]) => value(cost)) };
}

// Some solvers know how probable a variable is, or its share in a relaxation; of the others nothing is drawn but the assignment.
function hasShares({ posteriors }) {
  return posteriors?.some((one) => one > 1e-6 && one < 1 - 1e-6) ?? false;
}

function rows(names, scores, found) {
  const share = (n) => found.posteriors[n] ?? 0;
  const shares = hasShares(found);
  return names.map((name, n) => element('tr', {},
    element('td', {}, name),
    element('td', {}, String(scores[n])),
    element('td', { class: found.assignment?.[n] ? 'on' : 'off' }, found.assignment?.[n] ? 'on' : 'off'),
    ...(shares ? [element('td', {}, element('span', { class: 'bar', style: `width:${Math.round(80 * share(n))}px` }), ` ${share(n).toFixed(2)}`)] : [])));
}

async function solve(remember) {
  remember();
  const place = document.getElementById('graph-answer');
  try {
    const { names, scores, factors } = graphOf(document.getElementById('graph-text').value);
    const found = await ask('/solve', { scores, factors, solver: document.getElementById('graph-solver').value });
    const says = found.proved ? 'proved best of all assignments' : `not proved: status ${found.status}`;
    const shares = hasShares(found);
    const head = element('tr', {}, ...['variable', 'score', 'best', ...(shares ? ['posterior'] : [])].map((one) => element('th', {}, one)));
    place.replaceChildren(
      element('p', {}, `value ${found.value?.toFixed(4)}, bound ${found.bound?.toFixed(4) ?? 'none'}: `,
        element('span', { class: found.proved ? 'proved' : 'unproved' }, says),
        element('span', { class: 'hint' }, ` (${found.stages.join(', ') || `${found.iterations} ${found.iterations === 1 ? 'round' : 'rounds'}`})`)),
      element('table', {}, head, ...rows(names, scores, found)),
      ...(shares ? [] : [element('p', { class: 'hint' }, 'The solvers enumerate, junction_tree and bp also say how probable each variable is.')]));
    showError(null);
  } catch (error) {
    showError(error);
  }
}

export function setUp(about, remember) {
  fill(document.getElementById('graph-solver'), ['auto', ...about.graph_solvers.filter((name) => name !== 'auto')]);
  document.getElementById('graph-kinds').textContent = KINDS.join(', ');
  document.getElementById('graph').addEventListener('input', debounced(() => solve(remember)));
  return () => solve(remember);
}
