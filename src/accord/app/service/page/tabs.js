// SPDX-License-Identifier: Apache-2.0
// The tabs of smaller tasks: entities, phrases, compressions, summaries, Chinese words.

import { ask, debounced, element, showError } from './api.js';
import { picture } from './tree.js';

const byId = (id) => document.getElementById(id);

export function fill(select, values) {
  select.replaceChildren(...values.map((value) => element('option', { value }, value)));
}

async function answer(name, path, request, show) {
  const place = byId(`${name}-answer`);
  try {
    place.replaceChildren(...show(await ask(path, request), request));
    showError(null);
  } catch (error) {
    showError(error);
  }
}

const TASKS = {
  entities: {
    path: '/entities',
    request: () => ({ text: byId('entities-text').value, model: byId('entities-model').value }),
    show: (found, { text }) => {
      const place = { at: 0 };
      const shown = found.tokens.map((tokens, number) => element('p', {}, ...marked(tokens, found.spans[number], gaps(tokens, text, place))));
      return found.spans.some((spans) => spans.length) ? shown : [...shown, element('p', { class: 'hint' }, 'No entity was found.')];
    },
  },
  constituents: {
    path: '/constituents',
    request: () => ({ text: byId('constituents-text').value, model: byId('constituents-model').value, draw: true }),
    show: (found) => found.svg.map((svg, number) => element('figure', {}, picture(svg), element('pre', {}, found.brackets[number] ?? ''))),
  },
  compress: {
    path: '/compress',
    request: () => ({ text: byId('compress-text').value, rate: Number(byId('compress-rate').value) / 100 }),
    show: (found, { text }) => {
      const place = { at: 0 };
      return [element('p', {}, element('strong', {}, found.text)), ...found.sentences.map((one) => element('p', {}, ...kept(one, gaps(one.tokens, text, place))))];
    },
  },
  summarize: {
    path: '/summarize',
    request: () => ({ texts: byId('summarize-text').value.split(/^---+$/m), words: Number(byId('summarize-words').value) }),
    show: (found) => [
      element('p', {}, element('strong', {}, found.text || 'No sentence fits the budget.')),
      element('p', { class: 'hint' }, `${found.words} words; ${proof(found)}`),
    ],
  },
  segment: {
    path: '/segment',
    request: () => ({ texts: byId('segment-text').value.split('\n'), model: byId('segment-model').value }),
    show: (found) => found.words.map((words) => element('p', { class: 'words' }, ...words.map((one) => element('span', {}, one)))),
  },
};

// What stands in a text before each token of a sentence: its blanks, or one blank where the text has other words ("del" for "de el").
// `place.at`: where the text goes on.
function gaps(tokens, text, place) {
  return tokens.map((token, number) => {
    const begin = place.at + text.slice(place.at).search(/\S|$/);
    const found = text.startsWith(token, begin) ? begin : text.slice(begin, begin + token.length + 40).indexOf(token) + begin;
    if (found < begin) return number ? ' ' : '';
    const gap = found === begin ? text.slice(place.at, begin) : ' ';
    place.at = found + token.length;
    return number ? gap : '';
  });
}

const joined = (tokens, blanks, begin, end) => tokens.slice(begin, end).map((token, number) => (number ? blanks[begin + number] : '') + token).join('');

function marked(tokens, spans, blanks) {
  const parts = [];
  let next = 0;
  for (const span of spans) {
    parts.push(blanks[next] ?? '', joined(tokens, blanks, next, span.start), next < span.start ? blanks[span.start] : '');
    parts.push(element('mark', {}, joined(tokens, blanks, span.start, span.end), element('sub', {}, span.type)));
    next = span.end;
  }
  return [...parts, blanks[next] ?? '', joined(tokens, blanks, next, tokens.length)];
}

function kept(one, blanks) {
  return one.tokens.flatMap((token, word) => [blanks[word], one.mask[word] === '1' ? token : element('del', {}, token)]);
}

const proof = (found) => (found.status === 'optimal' ? 'proved best within the budget' : `status ${found.status}`);

export function setUp(about, remember) {
  const models = (path) => about.tasks[path]?.models ?? [];
  fill(byId('entities-model'), models('/entities'));
  fill(byId('constituents-model'), models('/constituents'));
  fill(byId('segment-model'), [...models('/segment')].sort((one) => (one === 'zh' ? -1 : 0)));
  for (const [name, task] of Object.entries(TASKS)) {
    const run = debounced(() => {
      remember();
      if (byId(`${name}-text`).value.trim()) answer(name, task.path, task.request(), task.show);
      else byId(`${name}-answer`).replaceChildren();
    });
    byId(name).addEventListener('input', () => {
      showLengths();
      run();
    });
    task.run = run;
  }
  showLengths();
}

export function showLengths() {
  byId('compress-shown').textContent = `${byId('compress-rate').value} %`;
  byId('summarize-shown').textContent = byId('summarize-words').value;
}

export const open = (name) => TASKS[name]?.run();
export const paths = Object.fromEntries(Object.entries(TASKS).map(([name, task]) => [name, task.path]));
