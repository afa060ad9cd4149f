"""Classes whose features are normal: naive, with full or shared covariance, LDA and QDA."""
