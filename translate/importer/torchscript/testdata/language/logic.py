    t = [True]
    n = annotate(List[bool], [])
    assert (1 if True else 2) == 1 and (1 if False else 2) == 2
    assert (0 or 5) == 5 and (3 or 5) == 3 and (0 and 5) == 0 and (3 and 5) == 5 and ("" or "a") == "a"
    assert +3 == 3 and -(-3) == 3 and ~0 == -1 and not False
    assert not (1 < 2 > 3) and 1 < 2 > 1 and not (3 < 2 < 4) and (1 == 1 != 2)
    assert t and not n and (0, ) and not {} and {"a": 0}
    assert isinstance(1, Any) and isinstance(1, Union[str, int]) and not isinstance(1, Union[str, float])
    assert isinstance(None, Optional[int]) and isinstance(1, Optional[int]) and not isinstance("1", Optional[int])
    assert isinstance(None, NoneType) and isinstance(None, None) and not isinstance(1, NoneType) and not isinstance(1, None)
    assert isinstance(True, bool) and not isinstance(True, int) and not isinstance(1, bool) and not isinstance(1, float)
    assert isinstance(1, number) and isinstance(1., number) and isinstance(1., float) and not isinstance(1., int)
    assert isinstance("a", str) and not isinstance("a", int) and isinstance(x, Tensor) and not isinstance(x, int)
    assert isinstance([1], List[int]) and isinstance([1], list) and not isinstance([1], List[str]) and not isinstance(1, list)
    assert isinstance((1, "a"), Tuple[int, str]) and not isinstance((1, "a"), Tuple[str, int]) and isinstance((1, ), tuple)
    assert not isinstance((1, 2), Tuple[int]) and isinstance((1, 2), Tuple) and not isinstance((1, 2), list)
    assert isinstance({1: 2}, dict) and isinstance({1: 2}, Dict[int, int]) and not isinstance({1: 2}, list)
    assert isinstance(1, (str, int)) and not isinstance(1, (str, float)) and isinstance(torch.device("cpu"), Device)
    assert isinstance(1j, complex) and not isinstance(1j, float) and isinstance(1j, number) and not isinstance(1, complex)
    assert not isinstance(self, int) and isinstance(self, __torch__.M)
    assert int(True) == 1 and int(False) == 0 and float(True) == 1. and bool(0) == False and bool("a") and not bool("")
    assert int("-7") == -7 and float("2.5") == 2.5 and float("inf") == inf and str(2.5) == "2.5" and str(-inf) == "-inf"
    assert str(inf) == "inf" and str(None) == "None" and str([1, "a"]) == "[1, a]" and str((1, )) == "(1,)" and str((1, 2)) == "(1, 2)"
    assert str({"a": 1.}) == "{a: 1.}" and str([]) == "[]" and str(False) == "False" and str(torch.device("cpu")) == "cpu"
    a = [1, 2, 3, 4, 5]
    assert a[1:] == [2, 3, 4, 5] and a[:-1] == [1, 2, 3, 4] and a[10:] == [] and a[-10:2] == [1, 2] and a[3:1] == []
    assert a[::3] == [1, 4] and a[1:5:2] == [2, 4] and (1, 2, 3)[1:] == (2, 3)
    assert a[-5] == 1 and a[4] == 5 and (1, 2)[-1] == 2 and "abc"[1] == "b" and "abc"[-1] == "c" and "abc"[1:] == "bc"
    assert 3 in a and 6 not in a and not (6 in a) and "b" in "abc" and "d" not in "abc" and "a" in {"a": 1} and 2 in (1, 2)
    assert a == [1, 2, 3, 4, 5] and a != [1, 2, 3, 4] and [1, 2] != [1, 3] and (1, 2) == (1, 2) and (1, 2) != (1, 2, 3)
    assert {"a": 1} == {"a": 1} and {"a": 1} != {"a": 2} and {"a": 1} != {"b": 1} and {"a": 1} != {"a": 1, "b": 2}
    assert [[1], [2]] == [[1], [2]] and [[1], [2]] != [[1], [3]] and 1 == 1. and "a" != 1 and "a" != None
    assert "a" < "b" and not "b" < "a" and "a" <= "a" and "b" > "a" and "a" >= "a" and "a" == "a" and "a" != "b"
    assert torch.find("abcabc", "c") == 2 and torch.find("abcabc", "c", 3) == 5 and torch.find("abc", "z") == -1
    assert torch.find("abcabc", "c", 0, 2) == -1 and torch.find("abcabc", "a", 1, -1) == 3 and torch.find("abcabc", "c", 3, -2) == -1
    assert torch.startswith("abc", "ab") and not torch.startswith("abc", "b") and torch.startswith("abc", "b", 1)
    assert torch.endswith("abc", "bc") and not torch.endswith("abc", "ab") and not torch.startswith("abc", "a", 5)
    assert torch.lower("aBc") == "abc" and torch.upper("aBc") == "ABC" and torch.ord("a") == 97 and torch.chr(98) == "b"
    assert torch.lstrip("xxaxx", "x") == "axx" and torch.rstrip("xxaxx", "x") == "xxa" and torch.lstrip(" a ") == "a "
    assert torch.format("{}-{}", 1, "b") == "1-b" and torch.format("{}", 1, 2) == "1" and torch.format("{:d}", 1) == "{:d}"
    assert torch.percentFormat("%d%%", 5) == "5%" and torch.percentFormat("%s and %s", "a", 2) == "a and 2" and torch.percentFormat("none") == "none"
    assert torch.join(", ", ["a", "b"]) == "a, b" and torch.join("-", ["a"]) == "a" and torch.split(" a  b ") == ["a", "b"]
    assert torch.index(a, 1) == 0 and torch.count([1, 2, 1], 1) == 2 and torch.count([1], 3) == 0
    assert torch.list("abc") == ["a", "b", "c"] and torch.list((1, 2)) == [1, 2] and list((1, 2)) == [1, 2]
    assert ops.prim.min([3, 1, 2]) == 1 and ops.prim.max([1.5, 2.5]) == 2.5 and sorted(["b", "a"]) == ["a", "b"]
    assert torch.sorted([2, 1]) == [1, 2] and torch.sum([0.5, 1.5]) == 2. and torch.sum([True, True]) == 2
    torch.sort(a, True)
    assert a == [5, 4, 3, 2, 1] and ops.prim.min(2, 3) == 2 and ops.prim.max(-1, -2) == -1
    s = 0
    for i in range(10):
      if i == 2:
        continue
      if i == 5:
        break
      s = s + i
    assert s == 8
    i = 0
    while i < 10:
      i = i + 1
      if i > 3:
        break
    assert i == 4
    for c in "ab":
      s = s + torch.ord(c)
    assert s == 8 + 97 + 98
    [p, q] = [7, 8]
    (u, ), z = (1, ), 2
    assert p == 7 and q == 8 and u == 1 and z == 2
    l = [0] * 3
    l[1] = 5
    l[-1] = 6
    l += (7, 8)
    assert l == [0, 5, 6, 7, 8]
    d = {1: "a", 2.5: "b", True: "c"}
    assert d[1] == "c" or d[1] == "a"
    assert d[2.5] == "b" and torch.get(d, 9) is None and torch.get(d, 2.5) == "b"
    assert ops.prim.NumToTensor(2) is not None and torch.__not__(0) and torch.__not__(False) and not torch.__not__(1)
    assert unchecked_cast(int, 3) == 3 and uninitialized(int) is not 3 and ops.prim.unchecked_unwrap_optional(4) == 4
    assert torch.floordiv(7., 2) == 3. and torch.floordiv(-7., 2.) == -4. and torch.fmod(-7., 3.) == -1. and torch.remainder(-7., 3.) == 2.
    assert torch.truediv(7, 2) == 3.5 and torch.gcd(-12, 18) == 6 and torch.gcd(0, 5) == 5 and torch.pow(2, 3) == 8
    assert torch.round(2.5) == 2. and torch.round(3.5) == 4. and torch.trunc(-2.5) == -2 and torch.floor(2.5) == 2 and torch.ceil(-2.5) == -2
    assert torch.abs(-3) == 3 and torch.abs(3) == 3 and torch.degrees(0.) == 0. and torch.copysign(1., -2.) == -1. and torch.atan2(0., 1.) == 0.
    assert torch.lt(2, 3) and not torch.lt(3, 3) and torch.le(3, 3) and not torch.gt(3, 3) and torch.ge(3, 3) and not torch.eq(2, 3) and torch.ne(2, 3)
    assert not (nan < 1) and not (nan > 1) and not (nan <= 1) and not (nan == 1) and nan != 1
    assert isinstance(infj, complex) and infj == infj and nanj != nanj and infj != nanj and not isinstance(range(2), list)
    assert torch.is_scripting() and not torch.is_tracing() and not torch._get_tracing_state() and torch.is_grad_enabled()
    assert not torch.is_autocast_enabled() and not torch.has_torch_function(x) and ops.prim.Print("a", 1) is None and print("a") is None
    assert torch.warn("a", 2) is None and torch.manual_seed(3) is None and torch.wait(4) == 4 and wait(5) == 5
    assert self and __torch__.M and torch.device("cpu") and torch.device(torch.device("cpu")) == torch.device("cpu")
    assert not hasattr(5, "a") and [7, 8][True] == 8 and [7, 8][False] == 7 and len(range(True)) == 1
    assert 2 // 0.5 == 4. and torch.floor_divide(-7., 2) == -4. and torch.__round_to_zero_floordiv(-7., 2) == -3.
    assert ~True == False and ~False == True and torch.__not__(2.5) == False and torch.__not__(0.) == True and -True == -1
    assert torch.lt(2, nan) == False and torch.ne(nan, nan) and not torch.ge(nan, nan) and torch.ge(2, 2.)
    assert str((x, )) == "(<Tensor>,)" and str([None, [True]]) == "[None, [True]]" and str("a") == "a"
    def first(n: int, of: List[int]) -> int:
      for q in of:
        if q > n:
          return q
      while n < 0:
        n = n + 1
        if n == -2:
          return n
      return 0
    assert first and first(2, [1, 3, 5]) == 3 and first(-5, [-7]) == -2 and first(-1, [-7]) == 0 and first(9, [1]) == 0
    nothing : int
    long = str([1] * 16385)
    assert long[-8:] == " 1, ...]" and len(long) == 3 * 16384 + 5
    assert str([1] * 3) == "[1, 1, 1]" and len(str([1] * 16384)) == 3 * 16384
    with 5 as five:
      assert five == 5
    return x
