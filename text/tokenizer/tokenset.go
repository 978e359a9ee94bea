package tokenizer

// tokenSet is a set of tokens, a bit for each: whether it has a token is read in one place.
type tokenSet []uint64

func (s tokenSet) has(id int32) bool {
	at := int(uint32(id) / 64)
	return at < len(s) && s[at]>>(id%64)&1 == 1
}

// add takes a token, whose number is not negative.
func (s *tokenSet) add(id int32) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}
