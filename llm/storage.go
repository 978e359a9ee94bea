package llm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
)

// kept returns what the options say.
func (o *LoadOptions) kept() cache.Storage {
	if o.CacheFormat != dtype.Plain {
		return cache.Storage{DType: dtype.U8, Format: o.CacheFormat}
	}
	return cache.Storage{DType: o.CacheType}
}
