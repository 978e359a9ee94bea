package llm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// Sampling says how a token is chosen from the scores of the vocabulary. Its parts work in this order: bias, grammar,
// penalties, TopNSigma, TopK, Typical, TopP, MinP, XTC, Temperature, and then chance. The zero value takes the most likely
// token.
type Sampling struct {
	Temperature float64 `json:"temperature,omitempty"` // scores are divided by it; 0 takes the most likely token
	TopK        int     `json:"top_k,omitempty"`       // so many of the most likely tokens; 0 or less for all
	TopP        float64 `json:"top_p,omitempty"`       // the most likely tokens that together have this probability; 0 or 1 for all
	MinP        float64 `json:"min_p,omitempty"`       // tokens that are at least so likely in proportion to the most likely one
	Typical     float64 `json:"typical_p,omitempty"`   // tokens whose surprise is nearest to the expected one, up to this probability; 0 or 1 for all
	TopNSigma   float64 `json:"top_n_sigma,omitempty"` // tokens within so many standard deviations of the best score; 0 for all

	XTCProbability float64 `json:"xtc_probability,omitempty"` // how often the most likely tokens are left out
	XTCThreshold   float64 `json:"xtc_threshold,omitempty"`   // all but the last one that are at least so likely

	RepeatPenalty    float64 `json:"repeat_penalty,omitempty"`    // divides the scores of tokens that were there, multiplies negative ones; 0 or 1 for none
	FrequencyPenalty float64 `json:"frequency_penalty,omitempty"` // is subtracted for each time that a token was there
	PresencePenalty  float64 `json:"presence_penalty,omitempty"`  // is subtracted from tokens that were there
	RepeatLast       int     `json:"repeat_last_n,omitempty"`     // how many of the last tokens penalties look at; 0 for 64, -1 for all

	Bias map[int]float64 `json:"logit_bias,omitempty"` // is added to scores of tokens
	Seed uint64          `json:"seed,omitempty"`       // of chance; 0 takes another one each time
}

// check names the first number that says nothing.
func (s *Sampling) check() error {
	for _, n := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"Temperature", s.Temperature, 0, math.MaxFloat64}, {"TopP", s.TopP, 0, 1}, {"MinP", s.MinP, 0, 1},
		{"Typical", s.Typical, 0, 1}, {"TopNSigma", s.TopNSigma, 0, math.MaxFloat64},
		{"XTCProbability", s.XTCProbability, 0, 1}, {"XTCThreshold", s.XTCThreshold, 0, 1},
		{"RepeatPenalty", s.RepeatPenalty, 0, math.MaxFloat64}, {"RepeatLast", float64(s.RepeatLast), -1, math.MaxFloat64},
		{"FrequencyPenalty", s.FrequencyPenalty, -math.MaxFloat64, math.MaxFloat64},
		{"PresencePenalty", s.PresencePenalty, -math.MaxFloat64, math.MaxFloat64},
	} {
		switch {
		case n.value >= n.least && n.value <= n.most:
		case n.most == math.MaxFloat64 && n.least == -n.most:
			return fmt.Errorf("%s is %g, want a number", n.name, n.value)
		case n.most == math.MaxFloat64:
			return fmt.Errorf("%s is %g, want at least %g", n.name, n.value, n.least)
		default:
			return fmt.Errorf("%s is %g, want %g to %g", n.name, n.value, n.least, n.most)
		}
	}
	for token, v := range s.Bias {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return fmt.Errorf("option Bias of token %d is %g, want a number, or -Inf for a token that never comes", token, v)
		}
	}
	return nil
}

// candidate is a token with its score and, once that is known, its probability.
type candidate struct {
	token int
	score float32
	p     float64
}

// sampler chooses tokens for one sequence.
type sampler struct {
	Sampling
	chance *rand.Rand
	list   []candidate
	known  bool        // the list is what TopP leaves
	counts map[int]int // of tokens that were there

	weights []float32 // of all tokens
}

func newSampler(s Sampling) *sampler {
	seed := s.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &sampler{Sampling: s, chance: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// penalise lowers scores of tokens that were there.
func (s *sampler) penalise(l logits, seen []int) {
	repeat := s.RepeatPenalty
	if repeat == 0 {
		repeat = 1
	}
	if repeat == 1 && s.FrequencyPenalty == 0 && s.PresencePenalty == 0 {
		return
	}
	last := s.RepeatLast
	if last == 0 {
		last = 64
	}
	if last > 0 && len(seen) > last {
		seen = seen[len(seen)-last:]
	}
	if s.counts == nil {
		s.counts = map[int]int{}
	}
	clear(s.counts)
	for _, t := range seen {
		s.counts[t]++
	}
	for t, n := range s.counts {
		if t >= len(l.scores) {
			continue
		}
		v := l.scores[t]
		if v <= 0 {
			v *= float32(repeat)
		} else {
			v /= float32(repeat)
		}
		l.set(t, v-float32(float64(n)*s.FrequencyPenalty)-float32(s.PresencePenalty))
	}
}

// choose returns a token by its scores, which it changes. seen are the tokens before it.
func (s *sampler) choose(l logits, seen []int) int {
	s.penalise(l, seen)
	if s.Temperature <= 0 {
		return l.best()
	}
	if !s.selects() {
		return s.draw(l)
	}
	s.collect(l)
	s.typical()
	s.nucleus()
	s.leastLikely()
	s.exclude()
	for i := range s.list {
		s.list[i].score = float32(float64(s.list[i].score) / s.Temperature)
	}
	s.softmax()
	r := s.chance.Float64()
	for _, c := range s.list {
		if r -= c.p; r < 0 {
			return c.token
		}
	}
	return s.list[len(s.list)-1].token
}

// below is the score right below another.
func below(v float32) float32 { return math.Nextafter32(v, float32(math.Inf(-1))) }

// draw chooses among all tokens by their scores alone.
func (s *sampler) draw(l logits) int {
	most, sum := float64(l.scores[l.best()]), 0.0
	s.weights = append(s.weights[:0], l.scores...)
	for i, v := range s.weights {
		w := float32(math.Exp((float64(v) - most) / s.Temperature))
		s.weights[i] = w
		sum += float64(w)
	}
	r := s.chance.Float64() * sum
	for i, w := range s.weights {
		if r -= float64(w); r < 0 {
			return i
		}
	}
	return l.best()
}

// selects reports whether some part leaves tokens out.
func (s *sampler) selects() bool {
	return s.TopK > 0 || s.TopNSigma > 0 || s.typicals() || s.nuclear() || s.MinP > 0 || s.XTCProbability > 0
}

// collect takes the tokens that TopNSigma and TopK leave, the most likely ones first if a later part asks for an order. Of those that MinP or
// TopP will leave out it takes none, so that few are to be sorted.
func (s *sampler) collect(l logits) {
	s.list, s.known = s.list[:0], false
	least := s.within(l.scores)
	if k := s.TopK; k > 0 && k < len(l.scores) {
		for i := l.above(0, least); i < len(l.scores); i = l.above(i+1, least) {
			if s.push(candidate{token: i, score: l.scores[i]}, k); len(s.list) == k {
				least = max(least, s.list[0].score)
			}
		}
	} else {
		if !s.typicals() && !s.nuclear() && s.MinP > 0 {
			least = max(least, below(float32(float64(l.scores[l.best()])+math.Log(s.MinP))))
		}
		for i := l.above(0, least); i < len(l.scores); i = l.above(i+1, least) {
			s.list = append(s.list, candidate{token: i, score: l.scores[i]})
		}
		if s.nuclear() && !s.typicals() && len(s.list) > 0 {
			s.softmax()
			s.list, s.known = s.list[:heaviest(s.list, s.TopP)], true
		}
	}
	if len(s.list) == 0 { // nothing but -inf: the best of equals
		s.list = append(s.list, candidate{token: l.best()})
	}
	if !s.known || s.MinP > 0 || s.XTCProbability > 0 { // chance asks for no order
		slices.SortFunc(s.list, likelier)
	}
}

// likelier orders candidates, the most likely one first, and equals by their numbers.
func likelier(a, b candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return a.token - b.token
}

// heaviest brings the most likely candidates that together have a probability to the front, in any order, and returns how many they are.
func heaviest(list []candidate, p float64) int {
	from, to := 0, len(list) // those in front of from are in, those from to on are out
	for to-from > 1 {
		pivot := list[from+(to-from)/2]
		front, mass := from, 0.0
		for i := from; i < to; i++ {
			if likelier(list[i], pivot) < 0 {
				mass += list[i].p
				list[i], list[front] = list[front], list[i]
				front++
			}
		}
		switch {
		case mass >= p:
			to = front
		case front == from: // the pivot is the most likely one
			i := from + slices.IndexFunc(list[from:to], func(c candidate) bool { return c.token == pivot.token })
			list[from], list[i] = list[i], list[from]
			if from++; pivot.p >= p {
				return from
			}
			p -= pivot.p
		default:
			from, p = front, p-mass
		}
	}
	return to
}

// within is the most score that TopNSigma leaves out.
func (s *sampler) within(scores []float32) float32 {
	if s.TopNSigma <= 0 {
		return float32(math.Inf(-1))
	}
	most, mean, n := math.Inf(-1), 0.0, 0
	for _, v := range scores {
		if !math.IsInf(float64(v), -1) {
			most, mean, n = max(most, float64(v)), mean+float64(v), n+1
		}
	}
	mean /= float64(n)
	square := 0.0
	for _, v := range scores {
		if !math.IsInf(float64(v), -1) {
			square += (float64(v) - mean) * (float64(v) - mean)
		}
	}
	return below(float32(most - s.TopNSigma*math.Sqrt(square/float64(n))))
}

// typicals and nuclear report whether Typical and TopP say anything.
func (s *sampler) typicals() bool { return s.Typical > 0 && s.Typical < 1 }
func (s *sampler) nuclear() bool  { return s.TopP > 0 && s.TopP < 1 }

// push adds a candidate to a heap of the k best, whose worst is first.
func (s *sampler) push(c candidate, k int) {
	worse := func(a, b candidate) bool { return a.score < b.score || a.score == b.score && a.token > b.token }
	l := s.list
	if len(l) < k {
		l = append(l, c)
		for i := len(l) - 1; i > 0 && worse(l[i], l[(i-1)/2]); i = (i - 1) / 2 {
			l[i], l[(i-1)/2] = l[(i-1)/2], l[i]
		}
		s.list = l
		return
	}
	l[0] = c
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(l) && worse(l[child], l[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		l[i], l[least] = l[least], l[i]
		i = least
	}
}

// softmax computes probabilities from scores; the highest score is first.
func (s *sampler) softmax() {
	most, sum := float64(s.list[0].score), 0.0
	for _, c := range s.list {
		most = max(most, float64(c.score))
	}
	for i, c := range s.list {
		s.list[i].p = math.Exp(float64(c.score) - most)
		sum += s.list[i].p
	}
	for i := range s.list {
		s.list[i].p /= sum
	}
}

// typical keeps tokens whose surprise is nearest to the expected one.
func (s *sampler) typical() {
	if !s.typicals() {
		return
	}
	s.softmax()
	entropy := 0.0
	for _, c := range s.list {
		if c.p > 0 {
			entropy -= c.p * math.Log(c.p)
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool {
		return math.Abs(-math.Log(s.list[i].p)-entropy) < math.Abs(-math.Log(s.list[j].p)-entropy)
	})
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum > s.Typical {
			s.list = s.list[:i+1]
			break
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool { return s.list[i].score > s.list[j].score })
}

// nucleus keeps the most likely tokens that together have a probability.
func (s *sampler) nucleus() {
	if !s.nuclear() || s.known { // then collect has left out the others
		return
	}
	s.softmax()
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum >= s.TopP {
			s.list = s.list[:i+1]
			break
		}
	}
}

// leastLikely keeps tokens that are likely enough beside the most likely one.
func (s *sampler) leastLikely() {
	if s.MinP <= 0 {
		return
	}
	least := float64(s.list[0].score) + math.Log(s.MinP)
	for i, c := range s.list {
		if i > 0 && float64(c.score) < least {
			s.list = s.list[:i]
			break
		}
	}
}

// exclude leaves out the most likely tokens, as often as XTCProbability says.
func (s *sampler) exclude() {
	if s.XTCProbability <= 0 || s.XTCThreshold > 0.5 || len(s.list) < 2 || s.chance.Float64() > s.XTCProbability {
		return
	}
	s.softmax()
	last := 0
	for i, c := range s.list {
		if c.p >= s.XTCThreshold {
			last = i
		} else {
			break
		}
	}
	s.list = s.list[last:]
}
