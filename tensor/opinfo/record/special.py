"""Special functions by SciPy, a second opinion beside PyTorch's."""


def programs(op):
    return []
