// SPDX-License-Identifier: Apache-2.0
// Sentences of an answer as CoNLL-U. With `fixed`, only the heads and labels that a person fixed are there.

const COLUMNS = ['form', 'lemma', 'upos', 'xpos', 'feats', 'head', 'deprel', 'deps', 'misc'];
const CONFIDENCE = /^(ArcConf|LabelConf)=/;

export function conlluOf(sentences, fixed = null) {
  return sentences.map((sentence, number) => rowsOf(sentence, number, fixed)).join('');
}

function rowsOf(sentence, number, fixed) {
  const lines = [...(sentence.comments ?? [])];
  for (const word of sentence.words) {
    for (const range of sentence.ranges ?? []) {
      if (range.first === word.id) lines.push(row(`${range.first}-${range.last}`, range));
    }
    lines.push(row(word.id, fixed ? onlyFixed(word, number, fixed) : word));
    for (const node of sentence.empty_nodes ?? []) {
      if (node.word === word.id) lines.push(row(`${node.word}.${node.index}`, node));
    }
  }
  return `${lines.join('\n')}\n\n`;
}

const row = (id, values) => [id, ...COLUMNS.map((column) => values[column] ?? '_')].join('\t');

function onlyFixed(word, number, fixed) {
  const own = fixed.find((one) => one.sentence === number && one.dependent === word.id);
  const misc = (word.misc ?? '_').split('|').filter((entry) => !CONFIDENCE.test(entry)).join('|') || '_';
  return { ...word, misc, deps: '_', head: own ? own.head : '_', deprel: own?.deprel || '_' };
}
