package config

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor/gguf"
)

// Metadata reads the entries of a GGUF file whose names begin with a prefix. Entries of other types than are wanted are
// an error, and so are numbers that are none, and whole numbers out of range: see [Metadata.Err].
type Metadata struct {
	File   *gguf.File
	Prefix string

	err error
}

// Err is the first error of what was read.
func (m *Metadata) Err() error { return m.err }

func (m *Metadata) fail(key, format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf("%s%s is %s", m.Prefix, key, fmt.Sprintf(format, args...))
	}
}

// Number returns a number, or 0 and 1 for false and true, and whether the file has one by the name behind the prefix.
func (m *Metadata) Number(key string) (float64, bool) {
	switch v := m.File.Metadata[m.Prefix+key].(type) {
	case uint64:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		m.fail(key, "the text %.40q, want a number", v)
	default:
		if m.File.Has(m.Prefix + key) {
			m.fail(key, "a list, want a number")
		}
	}
	return 0, false
}

// Numbers returns a list of numbers. It is empty if the file has none by the name behind the prefix, or has one number.
func (m *Metadata) Numbers(key string) []float64 {
	list := m.File.Numbers(m.Prefix + key)
	if list == nil && m.File.Metadata[m.Prefix+key] == nil && m.File.Has(m.Prefix+key) {
		m.fail(key, "no list of numbers")
	}
	return list
}

// Set writes a number to an *int, *float64 or *bool if the file has one by the name. An integer is rounded down.
func (m *Metadata) Set(key string, to any) {
	v, ok := m.Number(key)
	if !ok {
		return
	}
	switch to := to.(type) {
	case *int:
		if *to = Whole(v); *to < 0 {
			m.fail(key, "%.10g, want 0 to %d", v, math.MaxInt32)
		}
	case *float64:
		if *to = v; math.IsNaN(v) || math.IsInf(v, 0) {
			m.fail(key, "%g, want a finite number", v)
		}
	case *bool:
		*to = v != 0
	}
}

// Whole is a number from 0 to below 2^31, rounded down; another number is -1.
func Whole(v float64) int {
	if !(v >= 0 && v < 1<<31) {
		return -1
	}
	return int(v)
}
