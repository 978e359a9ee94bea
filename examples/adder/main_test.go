package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

func TestMain(m *testing.M) {
	if os.Getenv("ADDER") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

const first = `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    return %1 : tensor<1x2x3xf32>
  }
}
`

const second = `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>, %arg2: tensor<1x2x3xf32>, %arg3: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    %2 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %3 = "aten.add"(%1, %arg2, %2) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    %4 = "aten.mul"(%3, %arg3) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    return %4 : tensor<1x2x3xf32>
  }
}
`

// TestText fixes the texts that PyTorch/ACAP printed for the same program.
func TestText(t *testing.T) {
	cmd := emulator.Again()
	cmd.Env = append(os.Environ(), "ADDER=1")
	out, err := cmd.Output()
	require.NoError(t, err)
	modules := regexp.MustCompile(`(?m)^module \{\n(?s:.*?)^\}\n`).FindAllString(string(out), -1)
	require.Equal(t, []string{first, second}, modules)
	require.Len(t, regexp.MustCompile(`tensor\(\[\[\[`).FindAllString(string(out), -1), 2)
}
