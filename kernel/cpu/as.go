package cpu

import (
	"fmt"
	"slices"
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
		if isSetting && !f.set(name, value) || !isSetting && !f.without(name) {
			return Features{}, fmt.Errorf("a list of a level of ACAP_KERNELS up to %v, -vnni, -bf16, -amx, -dotprod, -i8mm, l1d=SIZE, l2=SIZE, "+
				"l3=SIZE with sizes from 4K to 1G, cores=N with N from 1 to 1024; not %q", highest, item)
		}
	}
	return f, nil
}

// without lowers the level or removes an extension.
func (f *Features) without(name string) bool {
	extensions := map[string][]*bool{"-vnni": {&f.VNNI, &f.AVXVNNI}, "-bf16": {&f.BF16}, "-amx": {&f.Tiles},
		"-dotprod": {&f.DotProduct}, "-i8mm": {&f.I8MM}}
	if list, ok := extensions[name]; ok {
		for _, has := range list {
			*has = false
		}
		return true
	}
	l, err := ParseLevel(name)
	if err != nil || !f.Level.Includes(l) {
		return false
	}
	*f = f.Lower(l)
	return true
}

func (f *Features) set(name, value string) bool {
	if name == "cores" {
		n, err := strconv.Atoi(value)
		f.Cores = n
		return err == nil && n >= 1 && n <= 1024
	}
	n, ok := environment.ParseBytes(value)
	return ok && n >= 4<<10 && n <= 1<<30 && f.setCache(slices.Index([]string{1: "l1d", 2: "l2", 3: "l3"}, name), int(n))
}

// setCache sets the size of the data cache of a level, and reports whether there is such a level.
func (f *Features) setCache(level, bytes int) bool {
	sizes := [...]*int{1: &f.L1D, 2: &f.L2, 3: &f.L3}
	known := level >= 1 && level < len(sizes)
	if known {
		*sizes[level] = bytes
	}
	return known
}
