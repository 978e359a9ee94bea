    d = {"a": 1, "b": 2}
    assert torch.setdefault(d, "a", 5) == 1 and torch.setdefault(d, "c", 5) == 5 and torch.keys(d) == ["a", "b", "c"]
    torch.update(d, {"b": 7, "z": 8})
    assert d == {"a": 1, "b": 7, "c": 5, "z": 8} and torch.values(d) == [1, 7, 5, 8]
    e = torch.copy(d)
    e["a"] = 100
    assert d["a"] == 1 and e["a"] == 100 and torch.pop(d, "none", 3) == 3 and torch.len(d) == 4
    torch.clear(e)
    assert torch.len(e) == 0 and not e and torch.len(d) == 4
    torch.Delete(d, "b")
    assert torch.keys(d) == ["a", "c", "z"] and d["z"] == 8 and d["c"] == 5
    f = torch.dict([("x", 1), ("y", 2)])
    assert f == {"x": 1, "y": 2} and torch.dict(f) == f and torch.len(torch.dict()) == 0
    a = [3, 1, 2]
    torch.Delete(a, 1)
    assert a == [3, 2]
    torch.Delete(a, -1)
    assert a == [3]
    r = annotate(List[int], [])
    for i in range(2, 5):
      _0 = torch.append(r, i)
    assert r == [2, 3, 4]
    q = annotate(List[int], [])
    for i in range(5, 0, -2):
      _1 = torch.append(q, i)
    a, b = range(7, 9)
    assert a == 7 and b == 8 and 3 in range(1, 4) and 4 not in range(1, 4) and 3 not in range(2, 9, 2)
    r = [9]
    torch.extend(r, range(2))
    assert r == [9, 0, 1]
    assert q == [5, 3, 1] and len(range(5, 0, -2)) == 3 and len(range(3, 3)) == 0
    assert torch.split("a-b-c", "-") == ["a", "b", "c"] and torch.split("a-b-c", "-", 1) == ["a", "b-c"]
    assert torch.split("a-b-c", "-", 0) == ["a-b-c"]
    assert torch.replace("aXbXc", "X", "--") == "a--b--c" and torch.replace("aXbXc", "X", "", 1) == "abXc"
    assert torch.strip("  a ") == "a" and torch.strip("xxaxx", "x") == "a"
    assert torch.percentFormat("%s-%d", ("x", 3)) == "x-3"
    assert torch.ord("A") == 65 and torch.chr(66) == "B"
    assert (1, 2, 3)[1:] == (2, 3) and (1, 2, 3)[0] == 1
    assert isinstance(1, int) and not isinstance(1, float) and isinstance(1.0, float) and isinstance("a", str)
    assert isinstance([1], List[int]) and isinstance(None, NoneType) and isinstance(d, Dict[str, int])
    assert isinstance((1, 2.0), Tuple[int, float]) and not isinstance((1, 2), Tuple[int, float])
    assert int(True) == 1 and int(False) == 0 and float(3) == 3.0 and bool(2) and not bool(0)
    assert int("12") == 12 and float("2.5") == 2.5 and str(2.5) == "2.5" and str(True) == "True" and str(False) == "False"
    return x
