package machine

func init() {
	outsides = append(outsides, outside{"hbm2e", "two stacks of HBM2E", func(m *Machine) {
		const stacks = "two stacks of HBM2E-3200, as on a VHK158; no device has AI Engines beside them"
		const rate = "85 % of the bus"
		m.DDR = DDR{
			Read:    assumed(696e9, "B/s", rate),
			Write:   assumed(696e9, "B/s", rate),
			Total:   assumed(696e9, "B/s", rate+", which reads and writes share"),
			PerShim: m.DDR.PerShim,
			Page:    assumed(1024, "B", "usual for a pseudo channel"),
			Chips:   hbm2.chips(819.2e9, stacks, 32, "pseudo channels, 16 of each stack"),
		}
		m.DDR.Chips.Interleave = assumed(256, "B", "finer than a page")
		m.Energy.DDR = assumed(31, "pJ/B", "3.9 pJ a bit, usual for HBM2E")
	}})
}
