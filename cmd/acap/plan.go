package main

import (
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/distributed/plan"
	"github.com/go-acap/acap/tensor/distributed/plan/planplot"
)

func init() {
	register(command{"plan", "what a step of training costs on 2 to 4096 ranks, or serving a language model", planModel})
}

type planFlags struct {
	machine, plot  string
	inputs         commandline.Inputs
	link, inner    plan.Link
	node, most     int
	bucket, bytes  float64
	backward, once float64
	json           bool
	serve          trafficFlags
}

func planModel(args []string) error {
	o := planFlags{}
	f := newFlags("plan", "MODEL [-serve] [flags]")
	f.StringVar(&o.machine, "machine", acap.DefaultMachine, "the `machine` of a rank: a preset or a JSON file")
	o.inputs.Flags(f, "an input `file` of a rank, .npy, .safetensors, .png or .jpg; repeat for more (default: input_N.npy beside the model)", "")
	f.Float64Var(&o.link.Latency, "latency", 5e-6, "`seconds` that a message takes beside its bytes")
	f.Float64Var(&o.link.Bandwidth, "bandwidth", 12.5e9, "`bytes` a second that a rank sends, and at the same time receives")
	f.IntVar(&o.node, "node", 8, "`ranks` of a node, which have links of their own")
	f.Float64Var(&o.inner.Latency, "node-latency", 2e-6, "`seconds` of -latency in a node")
	f.Float64Var(&o.inner.Bandwidth, "node-bandwidth", 100e9, "`bytes` of -bandwidth in a node")
	f.IntVar(&o.most, "ranks", 4096, "the largest number of `ranks`")
	f.Float64Var(&o.bucket, "bucket", 25<<20, "`bytes` of gradients that are sent together")
	f.Float64Var(&o.bytes, "gradients", 0, "`bytes` of the gradients (default: the bytes of the model's constants of floating point)")
	f.Float64Var(&o.backward, "backward", 2, "time of the backward pass, in `times` of the forward pass")
	f.Float64Var(&o.once, "forward", 0, "`seconds` of the forward pass (default: the account of the machine)")
	f.StringVar(&o.plot, "plot", "", "draw times against ranks, or shares against times, in this `file`, .svg or .png")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.serve.flags(f)
	model, err := parseOne(f, args)
	if err == nil {
		err = o.serve.apart(f)
	}
	if err == nil {
		err = commandline.CheckPicture("plot", o.plot)
	}
	switch {
	case err != nil:
		return err
	case o.serve.on:
		return o.serve.run(model, o.machine, o.plot, o.json)
	}
	return o.run(model)
}

func (o *planFlags) run(model string) error {
	if err := o.check(); err != nil {
		return err
	}
	step := plan.Step{Forward: o.once, Bytes: o.bytes, Bucket: o.bucket}
	if step.Forward == 0 || step.Bytes == 0 {
		module, err := o.inputs.Module(model)
		if err != nil {
			return err
		}
		if step.Bytes == 0 {
			if step.Bytes = plan.GradientBytes(module); step.Bytes == 0 {
				return fmt.Errorf("%s: no constants of floating point, whose gradients are added up; -gradients says how many bytes the weights take that the program is given", model)
			}
		}
		if step.Forward == 0 {
			if step.Forward, err = forwardSeconds(model, o.machine, module); err != nil {
				return err
			}
		}
	}
	step.Backward = o.backward * step.Forward
	costs := step.UpTo(o.most, plan.Ring(o.link), plan.Tree(o.link), plan.Hierarchical(o.inner, o.link, o.node))
	if o.plot != "" {
		if err := planplot.Plot(step, costs, model+": a step of training", o.plot); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": model, "machine": o.machine, "link": o.link,
			"node": o.node, "node_link": o.inner, "step": step, "costs": costs})
	}
	fmt.Fprintf(stdout, "%s on %s: forward %.4g ms, backward %.4g ms, %.4g MB of gradients in buckets of %.4g MB\n\n", model,
		o.machine, step.Forward*1e3, step.Backward*1e3, step.Bytes/1e6, step.Bucket/1e6)
	const format = "%6s %-13s %12s %12s %12s %10s %9s\n"
	fmt.Fprintf(stdout, format, "ranks", "sums", "all sums", "after", "overlap", "computing", "speedup")
	for _, c := range costs {
		fmt.Fprintf(stdout, format, fmt.Sprint(c.Ranks), c.Reduction, milliseconds(c.Sum), milliseconds(c.After),
			milliseconds(c.Overlap), fmt.Sprintf("%.1f%%", 100*c.Share), fmt.Sprintf("%.4g", c.Speedup))
	}
	return nil
}

func milliseconds(s float64) string { return fmt.Sprintf("%.4g ms", s*1e3) }

func (o *planFlags) check() error {
	for _, l := range []plan.Link{o.link, o.inner} {
		if err := l.Check(); err != nil {
			return commandline.Wrong(err)
		}
	}
	switch {
	case o.node < 1:
		return commandline.Errorf("-node is %d, want at least 1", o.node)
	case o.most < 2 || o.most > 1<<20:
		return commandline.Errorf("-ranks is %d, want 2 to %d", o.most, 1<<20)
	case !(o.bucket >= 1):
		return commandline.Errorf("-bucket is %g, want at least 1", o.bucket)
	case !(o.bytes >= 0 && o.bytes < 1e15), !(o.backward >= 0 && o.backward < 1e6), !(o.once >= 0 && o.once < 1e6):
		return commandline.Errorf("-gradients, -backward and -forward are numbers from 0 upwards")
	}
	return nil
}

// forwardSeconds returns the seconds of a run of a model, read as a module, on a machine.
func forwardSeconds(model, machine string, module *mlir.Operation) (float64, error) {
	kernels, err := modelfile.Kernels(model, module)
	if err != nil {
		return 0, err
	}
	return sweep.Seconds(machine, kernels)
}
