package expand

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer"
)

// Module rewrites a module in place. An operation that is not supported is an [*importer.UnsupportedError].
func Module(module *mlir.Operation) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *importer.UnsupportedError:
			err = p
		default:
			panic(p)
		}
	}()
	parallel(module)
	customCalls(module)
	composites(module)
	types(module)
	return nil
}

func fail(op *mlir.Operation, format string, args ...any) {
	panic(importer.Unsupported(op, format, args...))
}
