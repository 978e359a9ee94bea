package beam

import "flag"

// Record adds the flags of a kind of job to a set, and returns those that were given, as the job's
// command line has them.
func Record(f *flag.FlagSet, name string) *[]string {
	given := []string{}
	own := flag.NewFlagSet(name, flag.ContinueOnError)
	kinds[name].flags(own)
	own.VisitAll(func(g *flag.Flag) {
		f.Var(&recorded{g.Value, g.Name, &given}, g.Name, g.Usage)
		f.Lookup(g.Name).DefValue = g.DefValue
	})
	return &given
}

// Usage is the rest of the command line of a kind of job.
func Usage(name string) string { return kinds[name].usage }

// recorded is a flag's value that notes what it is set to.
type recorded struct {
	flag.Value
	name  string
	given *[]string
}

// Set implements [flag.Value].
func (r *recorded) Set(v string) error {
	*r.given = append(*r.given, "-"+r.name+"="+v)
	return r.Value.Set(v)
}

// String implements [flag.Value].
func (r *recorded) String() string {
	if r.Value == nil { // as package flag makes one, to compare
		return ""
	}
	return r.Value.String()
}

// IsBoolFlag tells that a flag may stand without a value.
func (r *recorded) IsBoolFlag() bool {
	b, ok := r.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
