package aie_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestEmittedTextIsRead reads what acap emit writes, in both versions of mlir-aie.
func TestEmittedTextIsRead(t *testing.T) {
	files, err := filepath.Glob("../../../device/acap/program/testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		read(t, f, text)
	}
}

// TestCurrentText reads what mlir-aie writes since July 2026 and acap emit does not.
func TestCurrentText(t *testing.T) {
	read(t, "current.mlir", []byte(`module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    %b = aie.buffer(%t1) {sym_name = "b"} : memref<32xi32>
    %l = aie.lock(%t1, 0) {init = 1 : i32, sym_name = "l"}
    %c = aie.core(%t1) {
      %0 = aie.objectfifo.acquire @i(Consume, 1) : memref<8xi32>
      %1:2 = aie.objectfifo.acquire @i(Consume, 2) : memref<8xi32>, memref<8xi32>
      aie.objectfifo.release @i(Consume, 1)
      aie.end
    }
    %m = aie.mem(%t1) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end, repeat_count = 4)
    ^bd:
      %c1 = arith.constant 1 : i32
      aie.use_lock(%l, AcquireGreaterEqual, %c1)
      aie.dma_bd(%b : memref<32xi32> offset = 0 len = 16 sizes = [4] strides = [1])
      aie.next_bd ^bd
    ^end:
      aie.end
    }
  }
}
`))
}

// read reads a text, and again the generic form it is printed in.
func read(t *testing.T, name string, text []byte) {
	t.Helper()
	for range 2 {
		m, err := mlir.Parse(name, text)
		if err == nil {
			err = mlir.Verify(m)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		var b bytes.Buffer
		if err := mlir.Print(&b, m, mlir.PrintOptions{}); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
}
