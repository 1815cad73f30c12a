# SPDX-License-Identifier: Apache-2.0
"""Sequence models on users' own features.

>>> from accord.sequence import CRF
>>> X = [[{"word": "the"}, {"word": "cat"}], [{"word": "a"}, {"word": "dog"}]]
>>> crf = CRF(c2=0.01).fit(X, [["DET", "NOUN"], ["DET", "NOUN"]])
>>> crf.predict([[{"word": "a"}, {"word": "cat"}]])
[['DET', 'NOUN']]
"""

from accord.tasks.sequence.estimator import CRF

__all__ = ["CRF"]
