package beside_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/beside"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/mlir"
)

// Two sums of matrices, each on a half of the columns, want more than the memory gives, and wait for each other.
func Example() {
	npu2, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	columns, err := beside.Even(npu2, 2)
	if err != nil {
		panic(err)
	}
	halves, err := beside.Parts(npu2, columns)
	if err != nil {
		panic(err)
	}
	var reports []*report.Report
	for _, half := range halves {
		module, err := mlir.Parse("sum.mlir", []byte(`func.func @main(%a: tensor<512x4096xbf16>, %b: tensor<512x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<512x4096xbf16>, tensor<512x4096xbf16>) -> tensor<512x4096xbf16>
  return %0 : tensor<512x4096xbf16>
}`))
		if err != nil {
			panic(err)
		}
		exe, err := acap.New(half).Compile(context.Background(), module)
		if err != nil {
			panic(err)
		}
		defer exe.Close()
		reports = append(reports, acap.ReportOf(exe))
	}
	shares, err := beside.Run(npu2, reports)
	if err != nil {
		panic(err)
	}
	for _, s := range shares {
		fmt.Printf("%d columns: %.1f times as long as alone\n", s.Columns, s.Seconds/s.Alone)
	}
	// Output:
	// 4 columns: 1.7 times as long as alone
	// 4 columns: 1.7 times as long as alone
}
