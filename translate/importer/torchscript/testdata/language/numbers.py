    assert 7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2 and -7 % 3 == 2
    assert torch.floordiv(-7, 2) == -4
    assert torch.remainder(-7, 3) == 2
    assert 7 / 2 == 3.5
    assert 2 ** 10 == 1024 and 2. ** -1 == 0.5
    assert 1 + True == 2
    assert not 0 and not 0. and not None and not "" and not []
    assert 1 < 2 <= 2 < 3 and not 1 < 2 < 2
    assert nan != nan and inf > 1e308 and -inf < 0
    assert torch.eq(1, 1.0) and torch.ne(1, 2) and torch.lt(1, 2) and torch.ge(2, 2)
    assert torch.__and__(True, False) == False and torch.__or__(1, 6) == 7 and torch.__xor__(5, 1) == 4
    assert torch.__lshift__(1, 4) == 16 and torch.__rshift__(16, 2) == 4 and ~5 == -6
    assert torch.neg(3) == -3 and torch.abs(-2.5) == 2.5 and torch.ceil(2.1) == 3 and torch.floor(-2.1) == -3
    assert torch.sqrt(16) == 4. and torch.pow(2., 3) == 8.
    assert ops.prim.min(3, 2) == 2 and ops.prim.max(3, 2.5) == 3 and ops.prim.max([1, 5, 2]) == 5
    assert int(3.9) == 3 and int(-3.9) == -3 and float(2) == 2. and bool(2) and int("12") == 12
    assert str(1) == "1" and str(1.) == "1." and str(1e-05) == "1.0000000000000001e-05" and str(True) == "True"
    assert annotate(float, 1) == 1.0
    assert torch.__round_to_zero_floordiv(-7, 2) == -3
    assert (3 if x is not None else 4) == 3
    a = 5
    a += 2
    a *= 3
    a -= 1
    a //= 3
    assert a == 6
    b : Optional[int] = None
    assert torch.__is__(b, None) and b is None and torch.__isnot__(a, None)
    c = unchecked_cast(int, a)
    assert torch.__derive_index(2, 10, 3) == 16 and torch.__range_length(0, 10, 3) == 4
    assert isinstance(c, int) and not isinstance(c, float) and isinstance(c, (str, int))
    assert isinstance([1], List[int]) and not isinstance([1.], List[int]) and isinstance(x, Tensor)
    assert isinstance((1, "a"), Tuple[int, str]) and isinstance(None, Optional[int]) and isinstance(None, NoneType)
    assert isinstance(2 ** 0, int) and 2 ** 0 == 1 and (-3) ** 3 == -27 and isinstance(2 ** -1, float) and 0 ** 0 == 1
    return x
