package picture

import (
	"errors"
	"fmt"
)

var errShort = errors.New("a portable picture ends early")

// portable reads the numbers of a portable picture.
type portable struct {
	file    []byte
	kind    int // 1 to 6, of the name P1 to P6
	largest int // the largest value
	at      int // the next byte
	bit     int // the next bit of the byte, for P4
}

// decodePortable reads PBM, PGM and PPM, in text (P1 to P3) or bytes (P4 to P6):
// https://netpbm.sourceforge.net/doc/pnm.html.
func decodePortable(file []byte) (*Picture, error) {
	r := &portable{file: file, kind: int(file[1] - '0'), at: 2}
	header := [3]int{0, 0, 1} // width, height and the largest value, which bits do not have
	for i := range header[:2+min((r.kind-1)%3, 1)] {
		var err error
		if header[i], err = r.number(); err != nil {
			return nil, err
		}
	}
	width, height := header[0], header[1]
	if r.largest = header[2]; r.largest < 1 || r.largest > 65535 {
		return nil, fmt.Errorf("a portable picture has values up to %d", r.largest)
	}
	channels := 1
	if r.kind%3 == 0 {
		channels = 3
	}
	least := height * width * channels // of bytes
	if r.kind == 4 {
		least = height * ((width + 7) / 8)
	}
	if least > len(file) {
		return nil, errShort
	}
	p, err := newPicture(height, width)
	if err != nil {
		return nil, err
	}
	r.at++ // one space is behind the header
	for i := range height * width {
		if i%width == 0 && r.bit > 0 { // rows begin with a byte
			r.at, r.bit = r.at+1, 0
		}
		for c := range channels {
			v, err := r.next()
			if err != nil {
				return nil, err
			}
			p.RGB[3*i+c] = clamp((v*255 + r.largest/2) / r.largest)
		}
		if channels == 1 {
			p.RGB[3*i+1], p.RGB[3*i+2] = p.RGB[3*i], p.RGB[3*i]
		}
	}
	return p, nil
}

// skip passes spaces and comments, which reach from # to the end of a line.
func (r *portable) skip() {
	for ; r.at < len(r.file); r.at++ {
		switch b := r.file[r.at]; {
		case b == '#':
			for r.at+1 < len(r.file) && r.file[r.at] != '\n' {
				r.at++
			}
		case b != ' ' && (b < '\t' || b > '\r'):
			return
		}
	}
}

// number reads a number in text.
func (r *portable) number() (int, error) {
	r.skip()
	v, from := 0, r.at
	for r.at < len(r.file) && r.file[r.at] >= '0' && r.file[r.at] <= '9' && v < MaxPixels {
		v = 10*v + int(r.file[r.at]-'0')
		r.at++
	}
	if r.at == from {
		return 0, fmt.Errorf("a portable picture has no number at byte %d", r.at)
	}
	return v, nil
}

// next reads a value of the picture.
func (r *portable) next() (int, error) {
	width := 1 // bytes
	switch {
	case r.kind == 1: // digits may stand together
		r.skip()
	case r.kind < 4:
		return r.number()
	case r.largest > 255:
		width = 2
	}
	if r.at+width > len(r.file) {
		return 0, errShort
	}
	b := r.file[r.at : r.at+width]
	if r.kind == 4 {
		v := 1 - int(b[0]>>(7-r.bit))&1
		if r.bit++; r.bit == 8 {
			r.at, r.bit = r.at+1, 0
		}
		return v, nil
	}
	switch r.at += width; {
	case r.kind == 1:
		return 1 - int(b[0]-'0')&1, nil
	case width == 2:
		return int(b[0])<<8 | int(b[1]), nil
	}
	return int(b[0]), nil
}
