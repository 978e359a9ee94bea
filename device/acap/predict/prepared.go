package predict

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/timing"
)

// Prepared is a row whose kernel and mapping are known, to be predicted on machines that differ in their constants.
type Prepared struct {
	Row     Row
	Machine string // the name of the machine that the row names

	plain   Row
	subject *subject
	with    Defaults
}

// Prepare maps the kernels of rows on a machine, and predicts them. Rows without prediction, or of other machines, are
// left out of what is prepared.
func (d Defaults) Prepare(rows []Row) ([]*Prepared, []Prediction) {
	if d.Machines == nil {
		d.Machines = Presets()
	}
	d.sources = sources(rows)
	var out []*Prepared
	all := make([]Prediction, len(rows))
	for i, r := range rows {
		p, _, s := d.predict(r)
		if all[i] = p; p.Skipped != "" {
			continue
		}
		row := r.plain()
		row.M, row.K, row.N = p.Row.M, p.Row.K, p.Row.N
		out = append(out, &Prepared{Row: r, Machine: p.Machine, plain: row, subject: s, with: d})
	}
	return out, all
}

// Times returns the measured time of the row divided by its predicted time on machine m. The tiles and kernels of m
// must be equal to the tiles and kernels of the machine for which the row was prepared. A machine that does not have
// the setting of the row is an error, and so is a mapping that the machine cannot run.
func (p *Prepared) Times(m *machine.Machine) (float64, error) {
	m, _, err := p.with.used(m, &p.plain)
	if err != nil {
		return 0, err
	}
	t, err := timing.Estimate(m, &p.subject.kernel, p.subject.mapping)
	if err != nil {
		return 0, err
	}
	v, err := p.plain.quantity(m, p.subject, &t)
	if err != nil {
		return 0, err
	}
	if p.plain.rising() {
		return v / p.Row.Value, nil
	}
	return p.Row.Value / v, nil
}
