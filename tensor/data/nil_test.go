package data_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
)

// TestNil: what is nil is named, with the line.
func TestNil(t *testing.T) {
	same := func(e data.Example) (data.Example, error) { return e, nil }
	for want, f := range map[string]func(){
		"gray: the picture is nil": func() { data.Gray(nil) }, "color: the picture is nil": func() { data.Color(nil) },
		"map: the dataset is nil": func() { data.Map(nil, same) }, "map: the function is nil": func() { data.Map(numbers(1), nil) },
		"subset: the dataset is nil": func() { data.Subset(nil, nil) }, "split: the dataset is nil": func() { data.Split(nil, 0.5, 1) },
		"concat: a dataset is nil": func() { data.Concat(numbers(1), nil) },
	} {
		require.Regexp(t, `^nil_test.go:\d+: `+want+"$", tensor.Try(f).Error())
	}
}
