package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrMalformed is the error of bytes that no value has.
var ErrMalformed = errors.New("wire: malformed data")

// Coder writes the fields that it is given, or sets them to what it reads.
type Coder struct {
	data    []byte // written so far, or to be read
	reading bool
	err     error
	blobs   *Blobs
}

// Write returns the bytes of the fields that f describes.
func Write(f func(*Coder)) []byte { return Append(nil, f) }

// Append appends the bytes of the fields that f describes to data.
func Append(data []byte, f func(*Coder)) []byte {
	c := Coder{data: data}
	f(&c)
	return c.data
}

// Read sets what f describes. It fails if the bytes do not encode one value.
func Read(data []byte, f func(*Coder)) error {
	c := Coder{data: data, reading: true}
	f(&c)
	if c.err == nil && len(c.data) > 0 {
		c.Fail("%d bytes are left over", len(c.data))
	}
	return c.err
}

// Reading reports whether fields are set, rather than written.
func (c *Coder) Reading() bool { return c.reading }

// Failed reports whether something was wrong with what has been read.
func (c *Coder) Failed() bool { return c.err != nil }

// Fail says that what was read means nothing. Everything after it reads as zero.
func (c *Coder) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: "+format, append([]any{ErrMalformed}, args...)...)
	}
	c.data = nil
}

// Uint64 codes a number; small ones take few bytes.
func (c *Coder) Uint64(v *uint64) {
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, *v)
		return
	}
	n, size := binary.Uvarint(c.data)
	if size <= 0 {
		*v = 0
		c.Fail("no number")
		return
	}
	*v, c.data = n, c.data[size:]
}

// Int codes a number of either sign.
func (c *Coder) Int(v *int) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	c.Uint64(&u)
	if c.reading {
		*v = int(u>>1) ^ -int(u&1)
	}
}

// Float64 codes a number bit for bit.
func (c *Coder) Float64(v *float64) {
	u := math.Float64bits(*v)
	c.Uint64(&u)
	if c.reading {
		*v = math.Float64frombits(u)
	}
}

// Bool codes a truth value.
func (c *Coder) Bool(v *bool) {
	var b uint8
	if *v {
		b = 1
	}
	Small(c, &b, 2)
	if c.reading {
		*v = b == 1
	}
}

// Small codes a number below limit, such as one of an enumeration.
func Small[T ~uint8](c *Coder, v *T, limit T) {
	switch {
	case !c.reading:
		c.data = append(c.data, byte(*v))
	case len(c.data) == 0 || T(c.data[0]) >= limit:
		*v = 0
		c.Fail("no number below %d", limit)
	default:
		*v, c.data = T(c.data[0]), c.data[1:]
	}
}

// String codes a text.
func (c *Coder) String(v *string) {
	if !c.reading {
		c.length(len(*v))
		c.data = append(c.data, *v...)
		return
	}
	*v = string(c.take(c.length(0)))
}

// Bytes codes bytes. A value that is read is part of the data, not a copy.
func (c *Coder) Bytes(v *[]byte) {
	if !c.reading {
		c.length(len(*v))
		c.data = append(c.data, *v...)
		return
	}
	*v = c.take(c.length(0))
}

// Ints codes a list of numbers; nil reads as nil.
func (c *Coder) Ints(v *[]int) { Slice(c, v, c.Int) }

// Slice codes a list whose elements f codes; nil reads as nil. Every element takes a byte
// or more.
func Slice[T any](c *Coder, v *[]T, f func(*T)) {
	n := 0
	if *v != nil {
		n = len(*v) + 1
	}
	if !c.reading {
		u := uint64(n)
		c.Uint64(&u)
	} else {
		if n = c.length(0); n == 0 {
			*v = nil
			return
		}
		if n-1 > len(c.data) {
			c.Fail("a list of %d in %d bytes", n-1, len(c.data))
			*v = nil
			return
		}
		*v = make([]T, n-1)
	}
	for i := range *v {
		if c.err != nil {
			*v = nil
			return
		}
		f(&(*v)[i])
	}
}

// Optional codes what may be nil.
func Optional[T any](c *Coder, v **T, f func(*T)) {
	there := *v != nil
	c.Bool(&there)
	if !there {
		*v = nil
		return
	}
	if c.reading {
		*v = new(T)
	}
	f(*v)
}

// length codes a length, which when read is no more than a little over the bytes that are left.
func (c *Coder) length(n int) int {
	u := uint64(n)
	c.Uint64(&u)
	if c.reading && u > uint64(len(c.data))+1 {
		c.Fail("a length of %d in %d bytes", u, len(c.data))
		return 0
	}
	return int(u)
}

func (c *Coder) take(n int) []byte {
	if n > len(c.data) {
		c.Fail("%d bytes of %d", n, len(c.data))
		return nil
	}
	b := c.data[:n:n]
	c.data = c.data[n:]
	return b
}
