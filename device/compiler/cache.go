package compiler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/mlir"
)

// storedKind is the kind of entry that programs are in the cache on disk.
const storedKind = "program"

// mostConstants bounds the bytes of constants of a module whose program goes to the cache on disk: to find it
// there all of them have to be read.
const mostConstants = 16 << 20

// compileCached compiles a module, unless the cache on disk has its program.
func compileCached(ctx context.Context, module *mlir.Operation, t *target) (*Executable, error) {
	disk := store.Default()
	if disk == nil || os.Getenv(printVariable) != "" || constantBytes(module) > mostConstants {
		return compile(ctx, module, t)
	}
	key := t.backend.Name() + "\n" + storedKey(module)
	if data, ok := disk.Get(storedKind, key); ok {
		if p, err := plan.Decode(data); err == nil {
			lower := sync.OnceValues(func() (*mlir.Operation, error) { return module, Lower(module) })
			if exe, err := LoadWith(ctx, p, lower); err == nil || ctx.Err() != nil {
				return exe, err
			}
		}
	}
	title := storedTitle(module) // before it is lowered
	exe, err := compile(ctx, module, t)
	if err != nil {
		return nil, err
	}
	if p, err := exe.Plan(); err == nil {
		disk.Put(storedKind, key, title, p.Encode())
	}
	return exe, nil
}

// storedKey identifies a module with its lines, and all that its program depends on.
func storedKey(module *mlir.Operation) string {
	h := sha256.New()
	_ = mlir.Print(h, module, mlir.PrintOptions{Locations: true}) // a hash gives no error
	return plan.Processor() + "\n" + hex.EncodeToString(h.Sum(nil))
}

// storedTitle names a module for people: its function with the types, and where its first operation is from.
func storedTitle(module *mlir.Operation) string {
	f, err := entry(module)
	if err != nil {
		return ""
	}
	types := func(list []mlir.Type) string {
		const most = 3
		var b strings.Builder
		for i, t := range list {
			if i == most {
				fmt.Fprintf(&b, ", and %d more", len(list)-most)
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(t.String())
		}
		return b.String()
	}
	s := signature(f)
	title := fmt.Sprintf("%s(%s) -> %s, %d operations", f.Symbol(), types(s.Inputs), types(s.Results), operations(module))
	for _, op := range f.Body().Ops {
		if at := op.Loc.Short(); at != "" {
			return title + " from " + at
		}
	}
	return title
}

func constantBytes(module *mlir.Operation) int {
	n := 0
	module.Walk(func(op *mlir.Operation) {
		switch a := op.Attrs.Get("value").(type) {
		case mlir.DenseAttr:
			n += len(a.Data)
		case mlir.ResourceAttr:
			n += len(a.Data)
		}
	})
	return n
}
