package ops

import "github.com/go-acap/acap/mlir"

// Program returns a module whose function @main makes the call, and the values that the function
// takes: the call's tensors, each once.
func (c *Call) Program() (module *mlir.Operation, inputs []Value) {
	module = mlir.NewModule()
	f := module.Body().Append(mlir.NewOp("func.func", nil, nil, nil))
	body := f.AddRegion().AddBlock()
	args := map[Value]*mlir.Value{}
	c.Each(func(v Value) {
		if args[v] == nil {
			args[v] = body.AddArg(mlir.Tensor(v.Type().DType, v.Type().Shape))
			inputs = append(inputs, v)
		}
	})
	call := body.Append(c.Operation(func(v Value) *mlir.Value { return args[v] }))
	body.Append(mlir.NewOp("func.return", call.Results, nil, nil))
	f.Attrs = mlir.Attrs{{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{
			Inputs: mlir.TypesOf(body.Args), Results: mlir.TypesOf(call.Results)}}}}
	return module, inputs
}
