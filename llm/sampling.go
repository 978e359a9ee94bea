package llm

import (
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
	TopK        int     `json:"top_k,omitempty"`       // so many of the most likely tokens; 0 for all
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
}

func newSampler(s Sampling) *sampler {
	seed := s.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &sampler{Sampling: s, chance: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// penalise lowers scores of tokens that were there.
func (s *sampler) penalise(scores []float32, seen []int) {
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
	counts := map[int]int{}
	for _, t := range seen {
		counts[t]++
	}
	for t, n := range counts {
		if t >= len(scores) {
			continue
		}
		v := scores[t]
		if v <= 0 {
			v *= float32(repeat)
		} else {
			v /= float32(repeat)
		}
		scores[t] = v - float32(float64(n)*s.FrequencyPenalty) - float32(s.PresencePenalty)
	}
}

// choose returns a token by its scores, which it changes. seen are the tokens before it.
func (s *sampler) choose(scores []float32, seen []int) int {
	s.penalise(scores, seen)
	if s.Temperature <= 0 {
		return best(scores)
	}
	s.collect(scores)
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

// best is the token with the highest score, the first of equals.
func best(scores []float32) int {
	at, most := 0, float32(math.Inf(-1))
	for i, v := range scores {
		if v > most {
			at, most = i, v
		}
	}
	return at
}

// collect takes the tokens that TopNSigma and TopK leave, the most likely ones first.
func (s *sampler) collect(scores []float32) {
	s.list = s.list[:0]
	least := float32(math.Inf(-1))
	if s.TopNSigma > 0 {
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
		least = float32(most - s.TopNSigma*math.Sqrt(square/float64(n)))
	}
	k := s.TopK
	if k <= 0 || k > len(scores) {
		k = len(scores)
	}
	for i, v := range scores {
		if v < least || math.IsInf(float64(v), -1) || len(s.list) == k && v <= s.list[0].score {
			continue
		}
		if k == len(scores) {
			s.list = append(s.list, candidate{token: i, score: v})
			continue
		}
		s.push(candidate{token: i, score: v}, k)
	}
	if len(s.list) == 0 { // nothing but -inf: the best of equals
		s.list = append(s.list, candidate{token: best(scores)})
	}
	slices.SortFunc(s.list, func(a, b candidate) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return a.token - b.token
	})
	s.softmax()
}

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
	if s.Typical <= 0 || s.Typical >= 1 {
		return
	}
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
	s.softmax()
}

// nucleus keeps the most likely tokens that together have a probability.
func (s *sampler) nucleus() {
	if s.TopP <= 0 || s.TopP >= 1 {
		return
	}
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum >= s.TopP {
			s.list = s.list[:i+1]
			break
		}
	}
	s.softmax()
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
	s.softmax()
}

// exclude leaves out the most likely tokens, as often as XTCProbability says.
func (s *sampler) exclude() {
	if s.XTCProbability <= 0 || s.XTCThreshold > 0.5 || len(s.list) < 2 || s.chance.Float64() > s.XTCProbability {
		return
	}
	last := 0
	for i, c := range s.list {
		if c.p >= s.XTCThreshold {
			last = i
		} else {
			break
		}
	}
	if last > 0 {
		s.list = s.list[last:]
		s.softmax()
	}
}
