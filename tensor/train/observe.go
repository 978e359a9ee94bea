package train

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Progress shows a run on w: first what is trained and what is not, then a bar that moves if w is a terminal, and
// otherwise a line for each epoch.
func Progress(w io.Writer) Observer {
	bar := isTerminal(w)
	var sum float64
	var took time.Duration
	steps := 0
	return func(r Record) error {
		took += r.Took
		if r.Trained != nil {
			if _, err := fmt.Fprintln(w, trainedText(r.Trained, r.Kept)); err != nil {
				return err
			}
		}
		if !r.EndOfEpoch {
			sum += r.Values["loss"]
			steps++
			if !bar {
				return nil
			}
			_, err := fmt.Fprintf(w, "\r%s\x1b[K", barText(r, sum/float64(steps), took/time.Duration(steps)))
			return err
		}
		start := ""
		if bar {
			start = "\r\x1b[K"
		}
		_, err := fmt.Fprintf(w, "%sepoch %d of %d  loss %.4g%s  %s\n", start, r.Epoch+1, r.Epochs, sum/float64(max(steps, 1)),
			valuesText(r.Values), took.Round(time.Millisecond))
		sum, took, steps = 0, 0, 0
		return err
	}
}

// trainedText counts the tensors that are trained, and names the first of those that are not.
func trainedText(trained, kept []string) string {
	const most = 4
	text := fmt.Sprintf("trains %d tensors", len(trained))
	if len(kept) == 0 {
		return text
	}
	text += fmt.Sprintf("; %d without RequiresGrad are not trained: %s", len(kept), strings.Join(kept[:min(most, len(kept))], ", "))
	if len(kept) > most {
		text += fmt.Sprintf(" and %d more", len(kept)-most)
	}
	return text
}

// barText draws how far an epoch is, with the mean loss so far and the time that is left.
func barText(r Record, loss float64, step time.Duration) string {
	const width = 24
	done := width * r.Batch / max(r.Batches, 1)
	left := time.Duration(r.Batches-r.Batch) * step
	return fmt.Sprintf("epoch %d of %d  [%s%s] %d/%d  loss %.4g  %s left", r.Epoch+1, r.Epochs, strings.Repeat("=", done),
		strings.Repeat(" ", width-done), r.Batch, r.Batches, loss, left.Round(time.Second))
}

func valuesText(values map[string]float64) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "  %s %.4g", name, values[name])
	}
	return b.String()
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// JSONLines writes a JSON object a line for each record: "step", "epoch", "seconds" since
// the record before, and the values by their names. Numbers that JSON has not, infinities
// and NaN, are texts.
func JSONLines(w io.Writer) Observer {
	return func(r Record) error {
		line := map[string]any{}
		for name, v := range r.Values {
			line[name] = v
			if math.IsNaN(v) || math.IsInf(v, 0) {
				line[name] = strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
		line["step"], line["epoch"], line["seconds"] = r.Step, r.Epoch, r.Took.Seconds()
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	}
}

// CSV writes a row for each value of each record, with the columns step, epoch, name and
// value.
func CSV(w io.Writer) Observer {
	out := csv.NewWriter(w)
	head := false
	return func(r Record) error {
		if !head {
			head = true
			if err := out.Write([]string{"step", "epoch", "name", "value"}); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(r.Values)) {
			row := []string{strconv.Itoa(r.Step), strconv.Itoa(r.Epoch), name, strconv.FormatFloat(r.Values[name], 'g', -1, 64)}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
}
