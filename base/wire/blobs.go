package wire

// Blobs are byte strings that lie beside the encoded data, such as the constants of a program. Blobs can be mapped into
// memory without a copy.
type Blobs struct {
	List [][]byte
	// Keep stays alive as long as what was read from the list.
	Keep any
}

// WriteWith is [Write] that puts what [Coder.Blob] codes into blobs.
func WriteWith(blobs *Blobs, f func(*Coder)) []byte {
	c := Coder{blobs: blobs}
	f(&c)
	return c.data
}

// ReadWith is [Read] for data that [WriteWith] wrote. Errors are those of [Read].
func ReadWith(data []byte, blobs *Blobs, f func(*Coder)) error {
	c := Coder{data: data, reading: true, blobs: blobs}
	f(&c)
	if c.err == nil && len(c.data) > 0 {
		c.Fail("%d bytes are left over", len(c.data))
	}
	return c.err
}

// Blob codes bytes that may be many: among the others, or apart where there are [Blobs]. The bytes that are read are no
// copy.
func (c *Coder) Blob(v *[]byte) {
	if c.blobs == nil {
		c.Bytes(v)
		return
	}
	i := 0
	if !c.reading {
		if len(*v) > 0 {
			c.blobs.List = append(c.blobs.List, *v)
			i = len(c.blobs.List)
		}
		c.Int(&i)
		return
	}
	if c.Int(&i); i < 0 || i > len(c.blobs.List) {
		c.Fail("byte string %d of %d", i, len(c.blobs.List))
		i = 0
	}
	if *v = nil; i > 0 {
		*v = c.blobs.List[i-1]
	}
}
