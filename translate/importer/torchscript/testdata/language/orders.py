    a = [0, 1, 2, 3, 4, 5, 6, 7]
    assert a[::-1] == [7, 6, 5, 4, 3, 2, 1, 0] and a[5:1:-2] == [5, 3] and a[-2::-3] == [6, 3, 0] and a[:5:-1] == [7, 6]
    assert a[2:2:-1] == [] and a[1:5:-1] == [] and a[100:-100:-4] == [7, 3] and torch.slice(a, 3, -9, -1) == [3, 2, 1, 0]
    assert "abc"[::-1] == "cba" and (1, 2, 3)[::-2] == (3, 1) and a[-1:-9223372036854775807:-9223372036854775807] == [7]
    assert a[::9223372036854775807] == [0] and a[7:0:-9223372036854775807] == [7]
    assert sorted([(2, "a"), (1, "b"), (1, "a")]) == [(1, "a"), (1, "b"), (2, "a")] and sorted([(1, 2), (1, )]) == [(1, ), (1, 2)]
    d = {1: "a", 2: "b"}
    assert torch.popitem(d) == (1, "a") and torch.keys(d) == [2] and torch.popitem(d) == (2, "b") and torch.len(d) == 0
    assert torch.percentFormat("%d-%i-%s-%%-%c-%c", 3.7, -2, 1.5, 97, "b") == "3--2-1.5-%-a-b" and torch.percentFormat("%d", -3.7) == "-3"
    assert torch.percentFormat("%f %F %e %E", 2.5, 3, 1234.5, 0.5) == "2.500000 3.000000 1.234500e+03 5.000000E-01"
    z = 1. + 2.j
    assert z * z + 1 == -2 + 4.j and torch.abs(3 + 4.j) == 5. and -z == -1 - 2.j and z / 2 == 0.5 + 1.j and z != 1 and z - 2.j == 1
    assert abs((1.j) ** 2 + 1) < 1e-12
    assert torch.remainder(-7.5, 2) == 0.5 and torch.remainder(1e20, 3.) == 1. and torch.remainder(7.5, -2) == -0.5
    assert torch.tolist(torch.tensor([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    return x
