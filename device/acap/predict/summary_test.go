package predict_test

import (
	"strings"
	"testing"

	"github.com/go-acap/acap/device/acap/predict"
)

// TestFitOfSummary expects that rows which the fit leaves out are not among those that it
// keeps, and that devices say how many constants were fitted.
func TestFitOfSummary(t *testing.T) {
	all, kept, left := 0, 0, 0
	for _, s := range predict.Summarize(predicted()) {
		switch {
		case s.By == "all":
			all = s.Rows
		case s.Name == "left out of the fit":
			left = s.Rows
		case s.By == "fit":
			kept = s.Rows
		case s.By == "device":
			if simulated := strings.HasPrefix(s.Name, "systolic"); simulated != (s.Constants == 0) {
				t.Errorf("%s: %d rows for %d fitted constants", s.Name, s.Rows, s.Constants)
			}
		}
	}
	if left == 0 || kept+left != all {
		t.Errorf("%d rows kept and %d left out of %d", kept, left, all)
	}
	for _, p := range predicted() {
		if p.Row.LeftOut() && !strings.HasPrefix(p.Row.Workload, "rmsnorm") {
			t.Errorf("line %d is left out: %s", p.Row.Line, p.Row.Workload)
		}
	}
}
