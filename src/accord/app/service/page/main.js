// SPDX-License-Identifier: Apache-2.0
// The page: tabs, and the tab of trees, which are drawn while a text is typed and parsed again around what is fixed.

import { ask, debounced, element, showError } from './api.js';
import { conlluOf } from './conllu.js';
import { makeEditable } from './editing.js';
import * as graph from './graph.js';
import { showDifferences, sideBySide } from './ranked.js';
import * as ruleBox from './rules.js';
import * as state from './state.js';
import * as tabs from './tabs.js';
import { markFixed, picture, save, standalone } from './tree.js';
import * as view from './view.js';

const byId = (id) => document.getElementById(id);
const TABS = { parse: 'Trees', entities: 'Entities', constituents: 'Phrases', compress: 'Compression', summarize: 'Summary', segment: 'Chinese', graph: 'Factor graph', view: 'File' };
const SAMPLES = {
  text: 'They saw the girl with the telescope.',
  'entities-text': 'Ana Silva flew from Lisbon to Rio with her brother.',
  'constituents-text': 'They saw the girl with the telescope.',
  'compress-text': 'The old man, who lived near the lake, bought a very small dog from his neighbour in March.',
  'summarize-text': 'The battery is great and lasts two days. The screen is rather small.\n---\nI bought it in May. The battery lasts two days, but the screen is small.',
  'segment-text': '我爱北京天安门。',
  'graph-text': 'rain 1.5\nsun 1.2\nsnow -0.5\numbrella -1\nwalk 2\nexactly_one rain sun snow\nimplies rain umbrella\nbudget 3 umbrella:2 walk:2',
};

const LATIN = /\p{Script=Latin}/gu;
const SCRIPTS = { Chinese: /\p{Script=Han}/gu, Japanese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ...Object.fromEntries(['Dutch', 'English', 'French', 'Italian', 'Portuguese', 'Spanish', 'Swedish'].map((name) => [name, LATIN])) };

let about;
let tab = 'parse';
let fixed = []; // {sentence, dependent, head, deprel}
let shown = []; // sentences of the last answer
let shownText = null;
const openers = {};

const remember = () => state.remember(tab, fixed);

function choose(name, focus = false) {
  tab = name;
  for (const button of byId('tabs').children) {
    const own = button.dataset.tab === name;
    button.setAttribute('aria-selected', own);
    button.tabIndex = own ? 0 : -1;
    if (own && focus) button.focus();
    if (own) button.scrollIntoView({ block: 'nearest', inline: 'center' });
    byId(button.dataset.tab).hidden = !own;
  }
  showError(null);
  remember();
  openers[name]?.();
}

function makeTabs() {
  const has = { entities: '/entities' in about.tasks, constituents: '/constituents' in about.tasks, compress: '/compress' in about.tasks, summarize: '/summarize' in about.tasks, segment: '/segment' in about.tasks, view: about.files.length > 0, parse: Object.keys(about.pipelines).length > 0, graph: true };
  const names = Object.keys(TABS).filter((name) => has[name]);
  const move = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) choose(names[(names.indexOf(tab) + step + names.length) % names.length], true);
  };
  byId('tabs').replaceChildren(...names.map((name) => element('button', { role: 'tab', id: `tab-${name}`, 'data-tab': name, 'aria-controls': name, onclick: () => choose(name), onkeydown: move }, TABS[name])));
  return names;
}

// What a reader should know who has chosen a model of another language.
function otherScript(text) {
  const { language } = about.pipelines[byId('model').value] ?? {};
  const own = SCRIPTS[language] ? text.match(SCRIPTS[language])?.length ?? 0 : Infinity;
  const letters = text.match(/\p{Letter}/gu)?.length ?? 0;
  return own < letters / 2 ? `The model is one of ${language}, and most letters of this text belong to another script.` : '';
}

async function parse() {
  const text = byId('text').value;
  if (shownText !== null && text !== shownText) fixed = [];
  remember();
  byId('unfix').hidden = !fixed.length;
  byId('probabilities').disabled = Number(byId('k').value) > 1;
  byId('other-script').textContent = otherScript(text);
  if (!text.trim()) return byId('trees').replaceChildren();
  const k = Number(byId('k').value) || 1;
  const request = { model: byId('model').value, rules: ruleBox.rules(), k, draw: true };
  if (k === 1) request.probabilities = byId('probabilities').checked;
  if (byId('solver').value) request.solver = byId('solver').value;
  try {
    if (fixed.length && text !== shownText) shown = (await ask('/parse', { model: request.model, text })).sentences;
    const answer = await ask('/parse', fixed.length
      ? { ...request, conllu: conlluOf(shown, fixed), keep: 'given' }
      : { ...request, text });
    shown = answer.sentences;
    shownText = text;
    byId('trees').replaceChildren(...shown.map(figure));
    byId('trees').querySelectorAll('.side').forEach(showDifferences);
    showError(answer.problems ? new Error(answer.problems.join('\n')) : null);
  } catch (error) {
    showError(error);
  }
}

function figure(sentence, number) {
  const caption = element('figcaption', { dir: 'auto' }, sentence.text, ...certificate(sentence));
  const drawn = (svg) => ready(picture(svg), number);
  const pictures = sentence.trees ? sideBySide(sentence, sentence.trees.map((tree) => drawn(tree.svg))) : drawn(sentence.svg);
  return element('figure', { 'data-sentence': number }, caption, pictures);
}

function ready(frame, number) {
  markFixed(frame, fixed, number);
  makeEditable(frame, number, { head: fixHead, label: askLabel, free });
  return frame;
}

function certificate({ certificate: found, unkept, broken }) {
  const notes = [...(unkept ?? []), ...Object.entries(broken ?? {}).map(([rule, times]) => `soft rule ${rule} broken ${times}×`)];
  const says = found ? [element('span', { class: found.proved ? 'proved certificate' : 'unproved certificate' }, found.says)] : [];
  return [...says, ...notes.map((note) => element('span', { class: 'unproved' }, note))];
}

function fix(sentence, dependent, head, deprel) {
  fixed = [...fixed.filter((one) => one.sentence !== sentence || one.dependent !== dependent), { sentence, dependent, head, deprel }];
  parse().then(() => byId('trees').querySelector(`[data-sentence="${sentence}"] g[tabindex][data-dependent="${dependent}"]`)?.focus());
}

const fixHead = (sentence, dependent, head) => fix(sentence, dependent, head, head === 0 ? 'root' : '');

function free(sentence, dependent) {
  fixed = fixed.filter((one) => one.sentence !== sentence || one.dependent !== dependent);
  parse();
}

function askLabel(sentence, { head, dependent }) {
  const { words } = shown[sentence];
  const dialog = byId('label-dialog');
  byId('label-arc').textContent = `${head ? words[head - 1].form : 'root'} → ${words[dependent - 1].form}`;
  byId('label-input').value = '';
  byId('label-input').placeholder = words[dependent - 1].deprel ?? '';
  dialog.returnValue = '';
  dialog.onclose = () => {
    if (dialog.returnValue === 'fix') fix(sentence, dependent, head, byId('label-input').value.trim() || words[dependent - 1].deprel);
    if (dialog.returnValue === 'free') free(sentence, dependent);
  };
  dialog.showModal();
}

function setUpParse() {
  tabs.fill(byId('model'), Object.keys(about.pipelines));
  byId('k').max = about.limits.k;
  byId('solver').append(...about.solvers.map((name) => element('option', { value: name }, name)));
  ruleBox.setUp(about);
  const labels = () => byId('labels').replaceChildren(...(about.pipelines[byId('model').value]?.labels ?? []).map((value) => element('option', { value })));
  byId('model').addEventListener('input', () => {
    shownText = null;
    fixed = [];
    labels();
  });
  labels();
  byId('parse').addEventListener('input', debounced(parse));
  byId('unfix').addEventListener('click', () => {
    fixed = [];
    parse();
  });
  byId('save-conllu').addEventListener('click', () => save('accord.conllu', 'text/plain', conlluOf(shown)));
  byId('save-svg').addEventListener('click', async () => {
    const drawn = [...byId('trees').querySelectorAll('svg')];
    if (drawn.length) save('accord.svg', 'image/svg+xml', await standalone(drawn));
  });
  byId('copy-link').addEventListener('click', async () => {
    remember();
    try {
      await navigator.clipboard.writeText(location.href);
      byId('copied').textContent = 'copied';
    } catch {
      byId('copied').textContent = 'the link is in the address bar';
    }
  });
  openers.parse = parse;
}

async function start() {
  about = await ask('/about');
  for (const [name, value] of Object.entries(SAMPLES)) byId(name).value = value;
  const names = makeTabs();
  setUpParse();
  tabs.setUp(about, remember);
  for (const name of Object.keys(tabs.paths)) openers[name] = () => tabs.open(name);
  openers.graph = graph.setUp(about, remember);
  openers.view = view.setUp(about, remember);
  const restored = state.restore();
  fixed = restored.fixed;
  if (byId('rules').value.trim()) byId('rule-box').open = true;
  tabs.showLengths();
  choose(names.includes(restored.tab) ? restored.tab : names[names.length > 1 && about.files.length ? names.length - 1 : 0]);
  document.body.dataset.ready = 'yes';
}

start().catch(showError);
