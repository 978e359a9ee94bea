package train

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// records are the records of two epochs of three batches.
func records() (list []Record) {
	for epoch := range 2 {
		for batch := range 3 {
			list = append(list, Record{Step: 3*epoch + batch + 1, Epoch: epoch, Epochs: 2, Batch: batch + 1, Batches: 3,
				Values: map[string]float64{"loss": float64(10*epoch + batch)}, Took: 2 * time.Second})
		}
		list = append(list, Record{Step: 3*epoch + 3, Epoch: epoch, Epochs: 2, Batch: 3, Batches: 3, EndOfEpoch: true,
			Values: map[string]float64{"b": math.NaN(), "a": 0.25}, Took: time.Second})
	}
	return list
}

// told is the text that an observer writes of the records.
func told(t *testing.T, o Observer, b *bytes.Buffer) string {
	for _, r := range records() {
		require.NoError(t, o(r))
	}
	return b.String()
}

// TestObservers: each form has the numbers of every record, the mean loss of an epoch where it has a line for each.
func TestObservers(t *testing.T) {
	var b bytes.Buffer
	require.Equal(t, "epoch 1 of 2  loss 1  a 0.25  b NaN  7s\nepoch 2 of 2  loss 11  a 0.25  b NaN  7s\n", told(t, Progress(&b), &b))
	b.Reset()
	require.Equal(t, `{"epoch":0,"loss":0,"seconds":2,"step":1}
{"epoch":0,"loss":1,"seconds":2,"step":2}
{"epoch":0,"loss":2,"seconds":2,"step":3}
{"a":0.25,"b":"NaN","epoch":0,"seconds":1,"step":3}
{"epoch":1,"loss":10,"seconds":2,"step":4}
{"epoch":1,"loss":11,"seconds":2,"step":5}
{"epoch":1,"loss":12,"seconds":2,"step":6}
{"a":0.25,"b":"NaN","epoch":1,"seconds":1,"step":6}
`, told(t, JSONLines(&b), &b))
	b.Reset()
	require.NoError(t, JSONLines(&b)(Record{Values: map[string]float64{"x": math.Inf(-1), "y": math.Inf(1)}}))
	require.Equal(t, `{"epoch":0,"seconds":0,"step":0,"x":"-Inf","y":"+Inf"}`+"\n", b.String())
	b.Reset()
	require.Equal(t, `step,epoch,name,value
1,0,loss,0
2,0,loss,1
3,0,loss,2
3,0,a,0.25
3,0,b,NaN
4,1,loss,10
5,1,loss,11
6,1,loss,12
6,1,a,0.25
6,1,b,NaN
`, told(t, CSV(&b), &b))
	b.Reset()
	require.NoError(t, Progress(&b)(Record{Epochs: 1, EndOfEpoch: true}))
	require.Equal(t, "epoch 1 of 1  loss 0  0s\n", b.String(), "no step was seen")
}

// TestBar: the bar is as long as the share of the batches, and the time that is left is the time of as many steps.
func TestBar(t *testing.T) {
	for batch, bar := range map[int]string{0: "", 1: strings.Repeat("=", 8), 2: strings.Repeat("=", 16), 3: strings.Repeat("=", 24)} {
		text := barText(Record{Epoch: 1, Epochs: 4, Batch: batch, Batches: 3}, 0.5, 1500*time.Millisecond)
		left := map[int]string{0: "5s", 1: "3s", 2: "2s", 3: "0s"}[batch] // rounded
		require.Equal(t, "epoch 2 of 4  ["+bar+strings.Repeat(" ", 24-len(bar))+"] "+string(rune('0'+batch))+"/3  loss 0.5  "+left+" left", text)
	}
	require.Contains(t, barText(Record{Epochs: 1}, 0, 0), "["+strings.Repeat(" ", 24)+"] 0/0")
	require.False(t, isTerminal(&bytes.Buffer{}))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, isTerminal(null), "nobody looks at it")
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	require.NoError(t, err)
	defer file.Close()
	require.False(t, isTerminal(file))
}

// failing is a writer that has no room.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestObserversFail: what cannot be written is an error of the observer.
func TestObserversFail(t *testing.T) {
	end := records()[3]
	for _, o := range []Observer{Progress(failing{}), JSONLines(failing{}), CSV(failing{})} {
		require.EqualError(t, o(end), "no room")
	}
}

// TestTrainedText: the first four tensors that are not trained are named, the others counted.
func TestTrainedText(t *testing.T) {
	for kept, want := range map[string]string{
		"":          "trains 2 tensors",
		"a b c d":   "trains 2 tensors; 4 without RequiresGrad are not trained: a, b, c, d",
		"a b c d e": "trains 2 tensors; 5 without RequiresGrad are not trained: a, b, c, d and 1 more",
	} {
		require.Equal(t, want, trainedText([]string{"x", "y"}, strings.Fields(kept)))
	}
}
