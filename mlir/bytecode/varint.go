package bytecode

// encodeVarint writes a number as [cursor.varint] reads it.
func encodeVarint(v uint64) []byte {
	n := 1
	for n < 9 && v>>(7*n) != 0 {
		n++
	}
	if n == 9 {
		out := make([]byte, 9)
		for i := range 8 {
			out[i+1] = byte(v >> (8 * i))
		}
		return out
	}
	v = v<<n | 1<<(n-1)
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(v >> (8 * i))
	}
	return out
}
