"""The pages of UnitedDeployments: what there is, what is wished, and the plan that would lead there."""
