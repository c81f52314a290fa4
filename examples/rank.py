"""Ranks the choices of `texam rows` with LightGBM, XGBoost and scikit-learn, and tells the agreement on games held out.

    texam rows games/gm1988.pgn --threshold none -o choices.txt
    pip install -r examples/requirements.txt
    python examples/rank.py choices.txt

Of the three only scikit-learn reads the file as it is. The other two get its arrays.
"""

import re
import sys

import lightgbm
import numpy
import xgboost
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

rows, label, query = load_svmlight_file(sys.argv[1], query_id=True)
with open(sys.argv[1]) as lines:
    game = numpy.array([int(found[1]) for line in lines if (found := re.search(r"# game:(\d+)", line))])
held_out = game % 10 == 0


def agreement(score):
    """Share of the held-out choices in which every alternative is below the chosen move."""
    matches = [score[at][label[at] == 1][0] > score[at][label[at] == 0].max() for at in choices if (label[at] == 0).any()]
    return numpy.mean(matches)


starts = numpy.unique(query, return_index=True)[1]
groups = numpy.split(numpy.arange(len(label)), starts[1:])
choices = [at for at in groups if held_out[at[0]]]
sizes = [len(at) for at in groups if not held_out[at[0]]]

trees = lightgbm.LGBMRanker(n_estimators=200, n_jobs=2, verbose=-1).fit(rows[~held_out], label[~held_out], group=sizes)
print(f"LightGBM, 200 trees     {agreement(trees.predict(rows)):.4f} of {len(choices)} choices")
trees = xgboost.XGBRanker(objective="rank:pairwise", n_estimators=200, n_jobs=2)
trees.fit(rows[~held_out], label[~held_out], qid=query[~held_out])
print(f"XGBoost, 200 trees      {agreement(trees.predict(rows)):.4f}")

# A pairwise ranker is a classifier of differences: chosen less alternative against alternative less chosen.
first = numpy.concatenate([numpy.full(len(at) - 1, at[label[at] == 1][0]) for at in groups if not held_out[at[0]]])
other = numpy.concatenate([at[label[at] == 0] for at in groups if not held_out[at[0]]])
pairs = rows[first] - rows[other]
sign = numpy.where(numpy.arange(len(first)) % 2 == 0, 1, -1)
signed = pairs.multiply(sign[:, None]).toarray()
linear = LogisticRegression(fit_intercept=False, solver="newton-cholesky").fit(signed, sign)
print(f"scikit-learn, pairs     {agreement(rows @ linear.coef_[0]):.4f}")
