"""The number of tries of a campaign.

BELLMARK_CAMPAIGN multiplies them: 1 takes minutes in all, 100 takes hours. BELLMARK_CAMPAIGN_SHARE=K/N
takes the K-th of N shares of the same tries, so that N processes make all of them.
"""

import os

SCALE = float(os.environ.get("BELLMARK_CAMPAIGN", 1))
SHARE, SHARES = map(int, os.environ.get("BELLMARK_CAMPAIGN_SHARE", "1/1").split("/"))


def tries(count):
    """The tries of a campaign whose usual number is `count`."""
    return max(1, round(count * SCALE))


def chosen(chance, cases, count):
    """This process's share of `count` random cases, or of all cases if there are fewer."""
    return chance.sample(cases, min(len(cases), tries(count)))[SHARE - 1::SHARES]
