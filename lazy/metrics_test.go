package lazy_test

import (
	"expvar"
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
)

// A server shows the metrics of a device among its variables at /debug/vars.
func ExampleRuntime_Metrics() {
	r := lazy.For(acap.Device())
	expvar.Publish("acap:npu1", expvar.Func(func() any { return r.Metrics().Snapshot }))
	fmt.Println(strings.Contains(expvar.Get("acap:npu1").String(), "UncachedCompile"))
	// Output: true
}
