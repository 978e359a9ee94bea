package cpu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/environment"
)

// As returns the features of another processor whose code f runs, so that a program or a test can be
// run as there. The text lists, separated by commas, what is different: a level, the extensions that
// are not there (-vnni, -bf16, -amx, -dotprod, -i8mm), the sizes of caches (l1d=, l2= and l3=) and the number of cores
// (cores=), as in
//
//	avx512,-amx,l2=1M,cores=4
//
// The error completes "want ...".
func (f Features) As(text string) (Features, error) {
	highest := f.Level
	for _, item := range strings.Split(text, ",") {
		name, value, isSetting := strings.Cut(item, "=")
		var ok bool
		if isSetting {
			ok = f.set(name, value)
		} else {
			ok = f.without(name)
		}
		if !ok {
			return Features{}, fmt.Errorf("a list of a level up to %v, -vnni, -bf16, -amx, -dotprod, -i8mm, l1d=SIZE, l2=SIZE, "+
				"l3=SIZE with sizes from 4K to 1G, cores=N with N from 1 to 1024; not %q", highest, item)
		}
	}
	return f, nil
}

// without lowers the level or removes an extension.
func (f *Features) without(name string) bool {
	switch name {
	case "-vnni":
		f.VNNI, f.AVXVNNI = false, false
	case "-bf16":
		f.BF16 = false
	case "-amx":
		f.Tiles = false
	case "-dotprod":
		f.DotProduct = false
	case "-i8mm":
		f.I8MM = false
	default:
		l, err := ParseLevel(name)
		if err != nil || !f.Level.Includes(l) {
			return false
		}
		*f = f.Lower(l)
	}
	return true
}

func (f *Features) set(name, value string) bool {
	if name == "cores" {
		n, err := strconv.Atoi(value)
		f.Cores = n
		return err == nil && n >= 1 && n <= 1024
	}
	cache := map[string]*int{"l1d": &f.L1D, "l2": &f.L2, "l3": &f.L3}[name]
	n, ok := environment.ParseBytes(value)
	if cache == nil || !ok || n < 4<<10 || n > 1<<30 {
		return false
	}
	*cache = int(n)
	return true
}
