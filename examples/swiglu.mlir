// A gated activation. Gate and values may be the halves of the rows that one
// layer computes: views whose rows are a pitch apart, which are read in place.
func.func @swiglu(%gate: tensor<?x?xbf16>, %values: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = ew.silu %gate : tensor<?x?xbf16>
  %1 = ew.mul %0, %values : tensor<?x?xbf16>
  return %1 : tensor<?x?xbf16>
}
