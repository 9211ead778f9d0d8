"""How many tries a campaign makes.

BELLMARK_CAMPAIGN multiplies them: 1 takes minutes in all, 100 takes hours.
"""

import os

SCALE = float(os.environ.get("BELLMARK_CAMPAIGN", 1))


def tries(count):
    """The tries of a campaign that makes `count` of them by itself."""
    return max(1, round(count * SCALE))
