package config

import "github.com/go-acap/acap/tensor/gguf"

// Metadata reads the entries of a GGUF file whose names begin with a prefix.
type Metadata struct {
	File   *gguf.File
	Prefix string
}

// Number returns a number, or 0 and 1 for false and true, and whether the file has one by the name behind the prefix.
func (m Metadata) Number(key string) (float64, bool) {
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
	}
	return 0, false
}

// Set writes a number to an *int, *float64 or *bool if the file has one by the name. An integer is rounded down; see [Whole].
func (m Metadata) Set(key string, to any) {
	v, ok := m.Number(key)
	if !ok {
		return
	}
	switch to := to.(type) {
	case *int:
		*to = Whole(v)
	case *float64:
		*to = v
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
