package engine

// fuse puts every node into a cluster.
func (g *graph) fuse(opts *Options) {
	for _, n := range g.nodes {
		newCluster(n)
	}
}
