package picture

import (
	"errors"
	"fmt"
)

var errShort = errors.New("a portable picture ends early")

// decodePortable reads PBM, PGM and PPM, in text (P1 to P3) or bytes (P4 to P6):
// https://netpbm.sourceforge.net/doc/pnm.html.
func decodePortable(file []byte) (*Picture, error) {
	kind, at := int(file[1]-'0'), 2
	isSpace := func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
	skip := func() {
		for at < len(file) && (isSpace(file[at]) || file[at] == '#') {
			if file[at] == '#' {
				for at < len(file) && file[at] != '\n' {
					at++
				}
				continue
			}
			at++
		}
	}
	number := func() (int, error) {
		skip()
		v, from := 0, at
		for at < len(file) && file[at] >= '0' && file[at] <= '9' && v < maxPixels {
			v = 10*v + int(file[at]-'0')
			at++
		}
		if at == from {
			return 0, fmt.Errorf("a portable picture has no number at byte %d", at)
		}
		return v, nil
	}
	header := [3]int{0, 0, 1} // width, height and the largest value, which bits do not have
	for i := range header[:2+min((kind-1)%3, 1)] {
		var err error
		if header[i], err = number(); err != nil {
			return nil, err
		}
	}
	width, height, largest := header[0], header[1], header[2]
	if largest < 1 || largest > 65535 {
		return nil, fmt.Errorf("a portable picture has values up to %d", largest)
	}
	channels := 1
	if kind%3 == 0 {
		channels = 3
	}
	least := height * width * channels // of bytes
	if kind == 4 {
		least = height * ((width + 7) / 8)
	}
	if least > len(file) {
		return nil, errShort
	}
	p, err := newPicture(height, width)
	if err != nil {
		return nil, err
	}
	at++ // one space is behind the header
	bit := 0
	next := func() (int, error) {
		switch {
		case kind == 1: // digits may stand together
			if skip(); at >= len(file) {
				return 0, errShort
			}
			at++
			return 1 - int(file[at-1]-'0')&1, nil
		case kind < 4:
			return number()
		case kind == 4:
			if at >= len(file) {
				return 0, errShort
			}
			v := 1 - int(file[at]>>(7-bit))&1
			if bit++; bit == 8 {
				at, bit = at+1, 0
			}
			return v, nil
		case largest > 255:
			if at += 2; at > len(file) {
				return 0, errShort
			}
			return int(file[at-2])<<8 | int(file[at-1]), nil
		}
		if at++; at > len(file) {
			return 0, errShort
		}
		return int(file[at-1]), nil
	}
	for i := range height * width {
		if kind == 4 && i%width == 0 && bit > 0 { // rows begin with a byte
			at, bit = at+1, 0
		}
		for c := range channels {
			v, err := next()
			if err != nil {
				return nil, err
			}
			p.RGB[3*i+c] = clamp((v*255 + largest/2) / largest)
		}
		if channels == 1 {
			p.RGB[3*i+1], p.RGB[3*i+2] = p.RGB[3*i], p.RGB[3*i]
		}
	}
	return p, nil
}
