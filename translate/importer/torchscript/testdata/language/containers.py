    a = annotate(List[int], [])
    for i in range(5):
      _0 = torch.append(a, i * i)
    assert a == [0, 1, 4, 9, 16] and torch.len(a) == 5 and len(a) == 5
    assert a[-1] == 16 and a[1:3] == [1, 4] and a[::2] == [0, 4, 16] and a[-2:] == [9, 16]
    assert torch.slice(a, 0, 9223372036854775807, 2) == [0, 4, 16]
    assert torch.__getitem__(a, 2) == 4 and torch.__contains__(a, 9) and 9 in a and 5 not in a
    _1 = torch._set_item(a, 0, 7)
    assert a[0] == 7 and torch.pop(a) == 16 and torch.pop(a, 0) == 7 and a == [1, 4, 9]
    torch.insert(a, 1, 3)
    torch.extend(a, [1, 2])
    assert a == [1, 3, 4, 9, 1, 2] and torch.index(a, 9) == 3 and torch.count(a, 1) == 2
    torch.sort(a)
    assert a == [1, 1, 2, 3, 4, 9] and sorted([3, 1]) == [1, 3]
    torch.reverse(a)
    torch.remove(a, 9)
    assert a == [4, 3, 2, 1, 1] and torch.add(a, [0]) == [4, 3, 2, 1, 1, 0] and [1] * 3 == [1, 1, 1]
    b = torch.copy(a)
    torch.clear(b)
    assert torch.len(b) == 0 and torch.len(a) == 5 and not b
    c = a
    c += [8]
    assert a[-1] == 8 and torch.__is__(a, c)
    assert torch.sum([1, 2, 3]) == 6 and torch.any([0, 1]) and not torch.all([0, 1])
    d = {"a": 1, "b": 2}
    d["c"] = 3
    assert d["c"] == 3 and torch.keys(d) == ["a", "b", "c"] and torch.values(d) == [1, 2, 3]
    assert torch.items(d)[1] == ("b", 2) and torch.get(d, "z", 9) == 9 and "a" in d and torch.len(d) == 3
    torch.Delete(d, "a")
    assert torch.keys(d) == ["b", "c"] and torch.pop(d, "b") == 2 and d == {"c": 3}
    n = 0
    for k in d:
      n += d[k]
    assert n == 3
    e, (f, g), = (1, (2, 3))
    assert (e, f, g) == (1, 2, 3) and (1, 2) + (3,) == (1, 2, 3) and (4, 5)[1] == 5
    h, = [6]
    assert h == 6
    s = "abc"
    assert s[1] == "b" and s[1:] == "bc" and torch.len(s) == 3 and torch.add(s, "d") == "abcd" and "b" in s
    assert torch.format("{} is {}", "x", 3.5) == "x is 3.5" and torch.join("-", ["a", "b"]) == "a-b"
    assert torch.percentFormat("%d of %s: 100%%", 2, "x") == "2 of x: 100%"
    assert torch.split("a b", None) == ["a", "b"] and torch.upper(s) == "ABC" and torch.startswith(s, "ab")
    assert s < "abd" and s == "abc" and torch.ne(s, "x") and torch.find(s, "c") == 2
    total = 0
    for q in [1, 2, 3, 4, 5]:
      if q == 2:
        continue
      if q == 5:
        break
      total += q
    assert total == 8
    i = 0
    _2 = torch.lt(i, 3)
    while _2:
      i = torch.add(i, 1)
      _2 = torch.lt(i, 3)
    assert i == 3
    count = 0
    for j in range(10, 0, -3):
      count = count * 10 + j % 10
    assert count == 741
    assert torch.rangelist(3) == [0, 1, 2] and torch.rangelist(1, 4) == [1, 2, 3] and torch.list() == [] and not ([1] in {})
    w = [1, 2]
    torch.insert(w, -1, 9)
    assert w == [1, 9, 2]
    torch.insert(w, 99, 4)
    torch.insert(w, -99, 3)
    assert w == [3, 1, 9, 2, 4] and 2 * [1] == [1, 1] and torch.mul([1, 2], 0) == [] and torch.mul([1], -1) == []
    assert torch.any([0, 2]) and not torch.any([0]) and not torch.all([1, 0]) and torch.all([1, 2])
    one = ops.prim.NumToTensor(1)
    two = ops.prim.NumToTensor(2)
    u = {1: "a", 2: "b"}
    assert torch.get(u, one) == "a" and torch.setdefault(u, two, "z") == "b" and torch.pop(u, one) == "a" and torch.keys(u) == [2]
    torch.Delete(u, two)
    assert torch.len(u) == 0 and [one, x] == [ops.prim.NumToTensor(1), x] and [one] != [two] and one in [two, one] and one not in [two]
    assert (1, 2) + (3, ) == (1, 2, 3) and torch.__getitem__((4, 5), 1) == 5 and torch.slice("abcd", 1, 3) == "bc"
    assert "a" in "abc" and "abc" in "abc" and "" in "abc" and "abcd" not in "abc" and not ("c" in "ab")
    return x
